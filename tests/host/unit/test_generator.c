/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does every generated program stay in its page, end within its steps, leave the stack as it was,
 * and do the same wherever it lies? And do they show every kind of branch, taken and not taken?
 * The programs are run.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include "tests/random/random_numbers.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/stepped_host.h"

#define PROGRAMS 150 /* of each shape that are run */
#define GENERATE 40000

static uint8_t *pages[2]; /* two places: kernel page, user page, ring 3's stack */

static struct generator_place place_of(unsigned which)
{
    uint8_t *page = pages[which];

    return (struct generator_place){.kernel_page = page,
                                    .user_page = page + GENERATED_PAGE_BYTES,
                                    .user_stack_top = (uint64_t)page + 4 * GENERATED_PAGE_BYTES};
}

/* Far apart, so that arithmetic with an address would not come out alike. */
static void map_pages(void)
{
    static void *const wanted[2] = {(void *)0x20000000, (void *)0x300123456000};

    for (unsigned i = 0; i < 2; i++) {
        pages[i] = mmap(wanted[i], 4 * GENERATED_PAGE_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(pages[i] == wanted[i], "no page at %p", wanted[i]);
    }
}

static void set_rights(unsigned which, int rights)
{
    mprotect(pages[which], 2 * GENERATED_PAGE_BYTES, rights);
}

/* state: a program in passes; NULL: one that runs once. */
static void run_at(struct host_run *run, struct generated *program, unsigned which,
                   enum generated_shape shape, uint64_t seed, const struct generated_state *state)
{
    const struct generator_place place = place_of(which);
    bool fits;

    set_rights(which, PROT_READ | PROT_WRITE);
    fits = generate(program, &place, shape, seed, state != NULL);
    CHECK(fits, "shape %d seed %#lx does not fit", shape, seed);
    set_rights(which, PROT_READ | PROT_EXEC);
    memset(run, 0, sizeof *run);
    run->program = program;
    run->argument = state;
    run->kernel_page = (uint64_t)place.kernel_page;
    run->user_page = (uint64_t)place.user_page;
    host_step(run);
    CHECK(!run->wrong, "shape %d seed %#lx after %zu steps: %s", shape, seed, run->steps,
          run->wrong);
}

/* What was seen of each kind: [0] not taken, [1] taken. */
static unsigned conditions[16][2], counters[4][2], jecxz[2];
static unsigned jumps[2], calls, rets[3], indirect_calls[3], indirect_jumps[3], zero_length;

/* FF /2 and FF /4: by register, by RIP, by base. */
static void count_indirect(const uint8_t *code)
{
    unsigned form = code[1] >> 6 == 3 ? 0 : code[1] >> 6 == 0 ? 1 : 2;

    if ((code[1] >> 3 & 7) == 2)
        indirect_calls[form]++;
    else if ((code[1] >> 3 & 7) == 4)
        indirect_jumps[form]++;
}

/* The program's own bytes and where it went on say what was executed. */
static void count(const uint8_t *code, unsigned offset, unsigned next)
{
    bool is_rex = code[0] == 0x41;

    if (code[0] >= 0x70 && code[0] <= 0x7f)
        conditions[code[0] & 15][next != offset + 2]++;
    else if (code[0] == 0x0f && code[1] >= 0x80 && code[1] <= 0x8f)
        conditions[code[1] & 15][next != offset + 6]++;
    else if (code[0] >= 0xe0 && code[0] <= 0xe3)
        counters[code[0] & 3][next != offset + 2]++;
    else if (code[0] == 0x67 && code[1] == 0xe3)
        jecxz[next != offset + 3]++;
    else if (code[0] == 0xeb || code[0] == 0xe9)
        jumps[next < offset]++;
    else if (code[0] == 0xe8)
        calls++, zero_length += next == offset + 5;
    else if (code[0] == 0xc3 || code[0] == 0xc2)
        rets[code[0] & 1]++;
    else if (code[0] == 0xf3 && code[1] == 0xc3)
        rets[2]++;
    else if (code[is_rex] == 0xff)
        count_indirect(code + is_rex);
}

static void count_run(const struct host_run *run)
{
    for (size_t i = 0; i + 1 < run->steps; i++) {
        const struct host_row *row = &run->rows[i];
        uint64_t page = row->ring ? run->user_page : run->kernel_page;

        if (row[1].ring == row->ring)
            count((const uint8_t *)page + row->offset, row->offset, row[1].offset);
    }
}

static struct host_run runs[2];
static struct generated programs[2];

static void run_at_both(enum generated_shape shape, uint64_t seed,
                        const struct generated_state *state)
{
    run_at(&runs[0], &programs[0], 0, shape, seed, state);
    run_at(&runs[1], &programs[1], 1, shape, seed, state);
    CHECK(runs[0].steps == runs[1].steps &&
              memcmp(runs[0].rows, runs[1].rows, sizeof runs[0].rows) == 0,
          "shape %d seed %#lx depends on where it lies", shape, seed);
}

static void test_programs_run(void)
{
    size_t steps = 0;

    for (uint64_t i = 0; i < PROGRAMS * GENERATED_SHAPES; i++) {
        run_at_both(i % GENERATED_SHAPES, random_seed_number(1, i), NULL);
        count_run(&runs[0]);
        steps += runs[0].steps;
    }
    printf("%zu steps a program\n", steps / (PROGRAMS * GENERATED_SHAPES));
}

static struct generated_state any_state(uint64_t seed, uint64_t passes)
{
    struct random_numbers numbers = random_seeded(seed);
    struct generated_state state = {.mixer = random_next(&numbers), .passes = passes};

    for (size_t i = 0; i < GENERATED_REGISTERS; i++)
        state.registers[i] = random_next(&numbers);
    return state;
}

/* Is the pass that ends in front of this row the same as the one before it, row by row? */
static bool is_repeated(const struct host_run *run, size_t end, size_t length)
{
    return end >= 2 * length && memcmp(&run->rows[end - length], &run->rows[end - 2 * length],
                                       length * sizeof run->rows[0]) == 0;
}

/* How many passes there were; adds those that went another way than the one before. */
static unsigned count_passes(const struct host_run *run, const struct generated *program,
                             unsigned *other)
{
    unsigned again = (unsigned)(program->again - run->kernel_page), passes = 0;
    size_t last = 0;

    for (size_t i = 0; i < run->steps; i++) {
        if (run->rows[i].ring || run->rows[i].offset != again)
            continue;
        if (passes++)
            *other += !is_repeated(run, i + 1, i - last);
        last = i;
    }
    return passes;
}

static void test_passes(void)
{
    unsigned other = 0, all = 0;

    for (uint64_t i = 0; i < PROGRAMS * GENERATED_SHAPES; i++) {
        uint64_t seed = random_seed_number(2, i);
        const struct generated_state state = any_state(seed, 1 + i % HOST_PASSES_MAX);
        unsigned passes;

        run_at_both(i % GENERATED_SHAPES, seed, &state);
        passes = count_passes(&runs[0], &programs[0], &other);
        CHECK(passes == state.passes, "seed %#lx: %u passes", seed, passes);
        all += passes - 1;
    }
    CHECK(other * 4 > all, "only %u of %u passes go another way than the one before", other, all);
    printf("%u of %u passes go another way than the one before\n", other, all);
}

static void check_both(const char *what, unsigned number, const unsigned seen[2])
{
    CHECK(seen[0] && seen[1], "%s %u: %u times not taken, %u times taken", what, number, seen[0],
          seen[1]);
}

static void test_every_kind_is_seen(void)
{
    for (unsigned i = 0; i < 16; i++)
        check_both("Jcc", i, conditions[i]);
    for (unsigned i = 0; i < 4; i++)
        check_both("LOOPNE, LOOPE, LOOP, JRCXZ:", i, counters[i]);
    check_both("JECXZ", 0, jecxz);
    check_both("JMP, forwards and back", 0, jumps);
    CHECK(calls && zero_length, "CALL %u, to the next instruction %u", calls, zero_length);
    for (unsigned i = 0; i < 3; i++) {
        CHECK(rets[i], "RET form %u", i);
        CHECK(indirect_calls[i], "CALL indirect, form %u", i);
        CHECK(indirect_jumps[i], "JMP indirect, form %u", i);
    }
}

/* Sizes alone, of many more programs. */
static void test_bounds(void)
{
    const struct generator_place place = place_of(0);
    size_t steps_most = 0, bytes_most = 0;
    struct generated program;

    set_rights(0, PROT_READ | PROT_WRITE);
    for (uint64_t i = 0; i < GENERATE; i++) {
        bool fits = generate(&program, &place, i / 2 % GENERATED_SHAPES, i * i, i & 1);

        CHECK(fits, "number %lu does not fit", i);
        if (program.steps_max > steps_most)
            steps_most = program.steps_max;
        if (program.kernel_bytes > bytes_most)
            bytes_most = program.kernel_bytes;
    }
    CHECK(steps_most <= GENERATED_STEPS_MAX, "%zu steps", steps_most);
    printf("at most %zu steps, %zu bytes\n", steps_most, bytes_most);
}

int main(void)
{
    map_pages();
    test_programs_run();
    test_every_kind_is_seen();
    test_passes();
    test_bounds();
    return check_result();
}
