/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/generated_program.h"

#include "arch/cpu/memory/paging.h"
#include "arch/cpu/traps/user.h"
#include "arch/lib/printf.h"
#include "kernel/report/soak_stats.h"
#include "tests/random/random_numbers.h"
#include "tests/step/stepper.h"

#define BYTES_A_LINE  48
#define STEPPED_SHARE 16 /* one program in so many is stepped through as well */

_Static_assert(GENERATED_PAGE_BYTES == PAGE_SIZE, "rights are a page's");
_Static_assert(GENERATED_STEPS_MAX <= PROGRAM_TRANSFERS_MAX, "every step may be a transfer");

/* Not static: their names stand in the addresses of a failure. */
uint8_t generated_kernel_page[PAGE_SIZE] __attribute__((aligned(PAGE_SIZE)));
uint8_t generated_user_page[PAGE_SIZE]
    __attribute__((aligned(PAGE_SIZE), section(".user.data.generated")));

static struct generated generated;
static struct workload workload;
static struct program program;
static struct interpreter interpreter;
static struct generated_state state; /* of a program in passes; RDI leads there */

static void set_executable(bool executable)
{
    paging_set_rights(generated_kernel_page, !executable, false, executable);
    paging_set_rights(generated_user_page, !executable, true, executable);
}

static void (*code_at(uint64_t address))(void)
{
    return (void (*)(void))(uintptr_t)address;
}

static void describe(void)
{
    workload = (struct workload){
        .name = "generated",
        .entry = code_at(generated.entry),
        .syscall_landing = code_at(generated.syscall_landing),
        .user_int_landing = code_at(generated.user_int_landing),
        .kernel_int_landing = code_at(generated.kernel_int_landing),
    };
    program.workload = &workload;
    program.entry = workload.entry;
    program.argument = 0;
    program.count = 0;
}

/* Where the pages are mapped besides their own places; 0: nowhere. */
static uint64_t alias;

static void unmap_alias(void)
{
    if (alias) {
        page_alias_unmap(alias);
        page_alias_unmap(alias - PAGE_SIZE);
    }
    alias = 0;
}

static bool map_alias(uint64_t address)
{
    if (!page_alias_map(address, generated_kernel_page))
        return false;
    if (page_alias_map(address - PAGE_SIZE, generated_user_page))
        alias = address;
    else
        page_alias_unmap(address);
    return alias;
}

/* --- its truth --- */

static bool is_end(const struct transfer *row)
{
    return row->to == (uint64_t)bracket_return;
}

/* One pass, where there are passes. */
static bool interpret(struct test_context *t)
{
    struct transfer *row = program.truth;
    bool more = interpreter_start(&interpreter, generated.entry, row);

    for (program.count = 1; more && program.count < PROGRAM_TRANSFERS_MAX; program.count++)
        more = interpreter_next(&interpreter, ++row) && !is_end(row);
    if (!is_end(row) && !interpreter.wrong)
        test_fail(t, "test bug: the program of seed 0x%lx does not end", generated.seed);
    if (interpreter.wrong)
        test_fail(t, "test bug: the interpreter of generated programs: %s: 0x%lx",
                  interpreter.wrong, interpreter.wrong_address);
    return !interpreter.wrong && is_end(row);
}

static bool is_same(const struct transfer *a, const struct transfer *b)
{
    return a->from == b->from && a->to == b->to && a->from_next == b->from_next &&
           a->kind == b->kind && a->from_ring == b->from_ring && a->to_ring == b->to_ring;
}

static void print_difference(struct test_context *t, size_t number, const struct transfer *stepped,
                             const struct transfer *interpreted)
{
    static const struct transfer none;
    const struct transfer *s = stepped ? stepped : &none, *i = interpreted ? interpreted : &none;

    test_fail(t,
              "test bug, or the processor's single-step: transfer %zu of the program of seed "
              "0x%lx is 0x%lx -> 0x%lx (%s) by the stepper, 0x%lx -> 0x%lx (%s) by the interpreter",
              number, generated.seed, s->from, s->to,
              stepped ? transfer_kind_name(s->kind) : "none", i->from, i->to,
              interpreted ? transfer_kind_name(i->kind) : "none");
}

/* The second witness: steps through the program and holds the truth against what it saw. */
static bool step_through(struct test_context *t)
{
    static struct transfer stepped[PROGRAM_TRANSFERS_MAX];
    struct stepper_result result;
    size_t i = 0;

    /* One step more: the bracket's CALL. */
    if (!stepper_run(&program, stepped, PROGRAM_TRANSFERS_MAX, generated.steps_max + 1, &result)) {
        stepper_report(t, &result);
        return false;
    }
    while (i < program.count && i < result.count && is_same(&stepped[i], &program.truth[i]))
        i++;
    if (i == program.count && i == result.count)
        return true;
    print_difference(t, i, i < result.count ? &stepped[i] : NULL,
                     i < program.count ? &program.truth[i] : NULL);
    return false;
}

static bool is_stepped(uint64_t seed)
{
    struct random_numbers numbers = random_seeded(seed + 1);

    return random_below(&numbers, STEPPED_SHARE) == 0;
}

/* --- making one --- */

static void open_interpreter(const struct generator_place *place)
{
    const struct interpreter_place where = {
        .kernel_page = place->kernel_page,
        .user_page = place->user_page,
        .kernel_address = place->kernel_address,
        .user_address = place->user_address,
        .user_stack_top = place->user_stack_top,
        .syscall_landing = generated.syscall_landing,
        .user_int_landing = generated.user_int_landing,
        .kernel_int_landing = generated.kernel_int_landing,
        .call = (uint64_t)bracket_call,
        .end = (uint64_t)bracket_return,
        .argument = &state,
        .argument_bytes = sizeof state,
    };

    interpreter_open(&interpreter, &where);
}

/* address: of ring 0's code; 0: where it is written. */
static struct generator_place place_at(uint64_t address)
{
    return (struct generator_place){
        .kernel_page = generated_kernel_page,
        .user_page = generated_user_page,
        .kernel_address = address ? address : (uint64_t)generated_kernel_page,
        .user_address = address ? address - PAGE_SIZE : (uint64_t)generated_user_page,
        .user_stack_top = (uint64_t)user_stack_top,
    };
}

static bool write_program(struct test_context *t, enum generated_shape shape, uint64_t seed,
                          uint64_t address, bool passes)
{
    const struct generator_place place = place_at(address);
    bool fits;

    generated_program_close();
    fits = generate(&generated, &place, shape, seed, passes);
    if (!fits)
        test_fail(t, "test bug: the program of seed 0x%lx does not fit its pages", seed);
    set_executable(fits);
    soak_stats_add(SOAK_STATS_PROGRAMS, 1);
    describe();
    open_interpreter(&place);
    return fits;
}

const struct program *generated_program(struct test_context *t, enum generated_shape shape,
                                        uint64_t seed, uint64_t address)
{
    if (!write_program(t, shape, seed, address, false) || (address && !map_alias(address)))
        return NULL;
    return interpret(t) && (!is_stepped(seed) || step_through(t)) ? &program : NULL;
}

const struct generated *generated_passes_open(struct test_context *t, enum generated_shape shape,
                                              uint64_t seed)
{
    return write_program(t, shape, seed, 0, true) ? &generated : NULL;
}

const struct program *generated_passes(struct test_context *t, const struct generated_state *first)
{
    state = *first;
    program.argument = (uint64_t)&state;
    program.count = 0;
    if (first->passes == 1 && !interpret(t))
        return NULL;
    return &program;
}

struct interpreter *generated_interpreter(struct transfer *row)
{
    interpreter_start(&interpreter, generated.entry, row);
    return &interpreter;
}

void generated_program_close(void)
{
    unmap_alias();
    set_executable(false);
}

static void note_bytes(struct test_context *t, const char *name, const uint8_t *page, size_t length)
{
    char line[2 * BYTES_A_LINE + 1];

    for (size_t at = 0; at < length; at += BYTES_A_LINE) {
        for (size_t i = 0; i < BYTES_A_LINE && at + i < length; i++)
            format_string(line + 2 * i, 3, "%02x", page[at + i]);
        test_note(t, "%s+0x%03zx %s", name, at, line);
    }
}

void generated_program_note(struct test_context *t)
{
    if (program.count && step_through(t))
        test_note(t, "stepped through alone it does what the interpreter says");
    note_bytes(t, "kernel", generated_kernel_page, generated.kernel_bytes);
    note_bytes(t, "user", generated_user_page, generated.user_bytes);
    test_note(t, "as interpreted:");
    for (size_t i = 0; i < program.count; i++)
        test_note(t, "%4zu %s 0x%lx -> 0x%lx", i, transfer_kind_name(program.truth[i].kind),
                  program.truth[i].from, program.truth[i].to);
}
