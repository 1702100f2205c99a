/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the interpreter say what a processor does? Generated programs of every shape, once and in
 * passes, are run by the host's processor under TF, and the two must tell the same transfers. And
 * flags: each arithmetic instruction beside the processor's own.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include "tests/random/interpreter.h"
#include "tests/random/interpreter_flags.h"
#include "tests/random/random_numbers.h"
#include "tests/step/branch_decoder.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/stepped_host.h"

#define PROGRAMS 350 /* of each shape, once and in passes */

#define CALL_ADDRESS 0x1234567
#define END_ADDRESS  0x1234569

static uint8_t *page;
static struct host_run run;
static struct generated program;
static struct interpreter interpreter;
static size_t transfers;

static struct generator_place place_of_pages(void)
{
    return (struct generator_place){.kernel_page = page,
                                    .user_page = page + GENERATED_PAGE_BYTES,
                                    .user_stack_top = (uint64_t)page + 4 * GENERATED_PAGE_BYTES};
}

static void run_on_host(enum generated_shape shape, uint64_t seed,
                        const struct generated_state *state)
{
    const struct generator_place place = place_of_pages();

    mprotect(page, 2 * GENERATED_PAGE_BYTES, PROT_READ | PROT_WRITE);
    CHECK(generate(&program, &place, shape, seed, state != NULL), "seed %#lx does not fit", seed);
    mprotect(page, 2 * GENERATED_PAGE_BYTES, PROT_READ | PROT_EXEC);
    run.program = &program;
    run.argument = state;
    run.wrong = NULL;
    run.ring = 0;
    run.steps = 0;
    run.kernel_page = (uint64_t)page;
    run.user_page = (uint64_t)page + GENERATED_PAGE_BYTES;
    host_step(&run);
    CHECK(!run.wrong, "seed %#lx: %s", seed, run.wrong);
}

static bool open_interpreter(const struct generated_state *state, struct transfer *row)
{
    const struct interpreter_place place = {
        .kernel_page = page,
        .user_page = page + GENERATED_PAGE_BYTES,
        .kernel_address = run.kernel_page,
        .user_address = run.user_page,
        .user_stack_top = (uint64_t)page + 4 * GENERATED_PAGE_BYTES,
        .syscall_landing = program.syscall_landing,
        .user_int_landing = program.user_int_landing,
        .kernel_int_landing = program.kernel_int_landing,
        .call = CALL_ADDRESS,
        .end = END_ADDRESS,
        .argument = state,
        .argument_bytes = state ? sizeof *state : 0,
    };

    interpreter_open(&interpreter, &place);
    return interpreter_start(&interpreter, program.entry, row);
}

static uint64_t address_of(const struct host_row *row)
{
    return (row->ring ? run.user_page : run.kernel_page) + row->offset;
}

/* Did the host's step number i transfer control? By its registers then, as the stepper knows. */
static bool host_transferred(size_t i)
{
    const struct branch_context context = {.rip = address_of(&run.rows[i]),
                                           .rcx = run.states[i].rcx,
                                           .rflags = run.states[i].rflags,
                                           .code_is_64bit = true};

    return branch_decode((const uint8_t *)context.rip, &context).taken;
}

/* What the interpreter says next, beside step i of the host. */
static bool is_step(const struct transfer *row, size_t i)
{
    const struct host_row *from = &run.rows[i], *to = from + 1;

    if (row->from != address_of(from) || row->from_ring != from->ring)
        return false;
    if (i + 1 == run.steps)
        return row->to == END_ADDRESS && row->to_ring == 0;
    return row->to == address_of(to) && row->to_ring == to->ring;
}

static void compare(enum generated_shape shape, uint64_t seed, const struct generated_state *state)
{
    struct transfer row;

    run_on_host(shape, seed, state);
    CHECK(open_interpreter(state, &row), "seed %#lx: %s", seed, interpreter.wrong);
    CHECK(row.from == CALL_ADDRESS && row.to == program.entry && row.kind == TRANSFER_CALL_INDIRECT,
          "seed %#lx: it does not begin with the call", seed);
    for (size_t i = 0; i < run.steps; i++) {
        if (!host_transferred(i))
            continue;
        if (!interpreter_next(&interpreter, &row) || !is_step(&row, i)) {
            CHECK(false, "shape %d seed %#lx step %zu at %#lx: %s, %#lx -> %#lx", shape, seed, i,
                  address_of(&run.rows[i]), interpreter.wrong ? interpreter.wrong : "differs",
                  row.from, row.to);
            return;
        }
        transfers++;
    }
    CHECK(!interpreter_next(&interpreter, &row) && !interpreter.wrong,
          "seed %#lx: it goes on, or %s", seed, interpreter.wrong ? interpreter.wrong : "nothing");
}

static void test_programs(void)
{
    for (uint64_t i = 0; i < PROGRAMS * GENERATED_SHAPES; i++) {
        struct random_numbers numbers = random_seeded(i);
        struct generated_state state = {.mixer = random_next(&numbers),
                                        .passes = 1 + i % HOST_PASSES_MAX};

        for (size_t j = 0; j < GENERATED_REGISTERS; j++)
            state.registers[j] = random_next(&numbers);
        compare(i % GENERATED_SHAPES, random_seed_number(3, i), NULL);
        compare(i % GENERATED_SHAPES, random_seed_number(4, i), &state);
    }
    printf("%zu transfers\n", transfers);
}

/* A state in the middle leads to the same as all passes before it: nothing else goes into one. */
static void read_state(struct generated_state *state)
{
    const uint64_t *stack = interpreter_word(&interpreter, interpreter.registers[4]);

    state->passes = stack[0];
    state->mixer = stack[1];
    for (size_t i = 0; i < GENERATED_REGISTERS; i++)
        state->registers[i] = interpreter.registers[generated_register_numbers[i]];
}

static void test_a_pass_alone(void)
{
    static struct transfer rest[HOST_ROWS_MAX];
    struct generated_state state = {.mixer = 1, .passes = 3, .registers = {1, 2, 3}}, middle;

    for (uint64_t seed = 0; seed < 300; seed++) {
        struct transfer row;
        size_t count = 0, i = 0;

        run_on_host(seed % GENERATED_SHAPES, seed, &state);
        open_interpreter(&state, &row);
        while (interpreter_next(&interpreter, &row) && row.from != program.again)
            ;
        read_state(&middle);
        CHECK(middle.passes == 2, "%lu passes left", middle.passes);
        while (interpreter_next(&interpreter, &rest[count]))
            count++;
        open_interpreter(&middle, &row);
        while (interpreter_next(&interpreter, &row) && i < count &&
               memcmp(&row, &rest[i], sizeof row) == 0)
            i++;
        CHECK(i == count, "seed %#lx: another way after %zu of %zu", seed, i, count);
    }
}

/* --- flags --- */

#define FLAGS_LOOKED_AT 0x8c5u

#define BY_PROCESSOR(name, instruction)                                                            \
    static uint64_t name(uint64_t a, uint64_t b, bool carry, uint64_t *result)                     \
    {                                                                                              \
        uint64_t flags;                                                                            \
        __asm__("bt $0, %k4\n\t" instruction "\n\tpushfq; popq %0"                                 \
                : "=&r"(flags), "+&r"(a)                                                           \
                : "r"(b), "0"(0), "r"((uint32_t)carry)                                             \
                : "cc");                                                                           \
        *result = a;                                                                               \
        return flags & FLAGS_LOOKED_AT;                                                            \
    }
BY_PROCESSOR(by_add, "addq %2, %1")
BY_PROCESSOR(by_adc, "adcq %2, %1")
BY_PROCESSOR(by_sub, "subq %2, %1")
BY_PROCESSOR(by_sbb, "sbbq %2, %1")
BY_PROCESSOR(by_and, "andq %2, %1")
BY_PROCESSOR(by_dec, "decq %1")

static uint64_t any_operand(struct random_numbers *numbers)
{
    static const uint64_t special[] = {0, 1, 0x7f, ~0ull, 1ull << 63, ~0ull >> 1, 0x80};
    unsigned which = random_below(numbers, 16);

    return which < sizeof special / sizeof special[0] ? special[which] : random_next(numbers);
}

static void check_flags(const char *what, const struct flags *flags, uint64_t result,
                        uint64_t expected_flags, uint64_t expected)
{
    uint64_t image = image_of(flags) & FLAGS_LOOKED_AT;
    const struct flags back = flags_of(image);

    CHECK(result == expected && image == expected_flags, "%s: flags %#lx, expected %#lx", what,
          image, expected_flags);
    CHECK((image_of(&back) & FLAGS_LOOKED_AT) == image, "%s: %#lx becomes %#lx", what, image,
          image_of(&back));
    for (unsigned i = 0; i < 16; i++)
        CHECK(condition(flags, i) == condition(&back, i), "condition %u", i);
}

static void test_flags(void)
{
    struct random_numbers numbers = random_seeded(5);

    for (unsigned i = 0; i < 100000; i++) {
        uint64_t a = any_operand(&numbers), b = any_operand(&numbers), result, expected, got;
        bool carry = random_next(&numbers) & 1;
        struct flags flags = {.carry = carry};

        expected = by_add(a, b, carry, &result);
        got = add(&flags, a, b, false);
        check_flags("ADD", &flags, got, expected, result);
        expected = by_adc(a, b, carry, &result);
        got = add(&flags, a, b, carry);
        check_flags("ADC", &flags, got, expected, result);
        expected = by_sub(a, b, carry, &result);
        got = subtract(&flags, a, b, false);
        check_flags("SUB", &flags, got, expected, result);
        expected = by_sbb(a, b, carry, &result);
        got = subtract(&flags, a, b, carry);
        check_flags("SBB", &flags, got, expected, result);
        expected = by_and(a, b, carry, &result);
        got = logic(&flags, a & b);
        check_flags("AND", &flags, got, expected, result);
        flags.carry = carry;
        expected = by_dec(a, b, carry, &result);
        got = decrement(&flags, a);
        check_flags("DEC", &flags, got, expected, result);
    }
}

/* It reports an unknown instruction, wherever that is. */
static void test_wrong_code(void)
{
    static const uint8_t codes[][4] = {{0xcc},       {0xf3, 0x90},       {0x0f, 0x0b},
                                       {0xff, 0x30}, {0x50, 0x5b, 0xc3}, {0x5b, 0xc3}};
    struct transfer row;

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        mprotect(page, 2 * GENERATED_PAGE_BYTES, PROT_READ | PROT_WRITE);
        memset(page, 0xcc, GENERATED_PAGE_BYTES);
        memcpy(page, codes[i], sizeof codes[i]);
        program = (struct generated){.entry = (uint64_t)page};
        CHECK(!open_interpreter(NULL, &row) || !interpreter_next(&interpreter, &row) || i == 4,
              "code %zu", i);
        CHECK(i == 4 ? !interpreter.wrong : interpreter.wrong != NULL, "code %zu", i);
    }
}

int main(void)
{
    page = mmap((void *)0x20000000, 4 * GENERATED_PAGE_BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    test_flags();
    test_programs();
    test_a_pass_alone();
    test_wrong_code();
    return check_result();
}
