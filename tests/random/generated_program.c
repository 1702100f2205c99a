/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/generated_program.h"

#include "arch/cpu/paging.h"
#include "arch/cpu/user.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "tests/step/stepper.h"

#define BYTES_A_LINE 48

_Static_assert(GENERATED_PAGE_BYTES == PAGE_SIZE, "rights are a page's");
_Static_assert(GENERATED_STEPS_MAX <= PROGRAM_TRANSFERS_MAX, "every step may be a transfer");

/* Not static: their names stand in the addresses of a failure. */
uint8_t generated_kernel_page[PAGE_SIZE] __attribute__((aligned(PAGE_SIZE)));
uint8_t generated_user_page[PAGE_SIZE]
    __attribute__((aligned(PAGE_SIZE), section(".user.data.generated")));

static struct generated generated;
static struct workload workload;
static struct program program;

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

static bool step_through(struct test_context *t)
{
    struct stepper_result result;
    bool done;

    /* One step more: the bracket's CALL. */
    done = stepper_run(&program, program.truth, PROGRAM_TRANSFERS_MAX, generated.steps_max + 1,
                       &result);
    program.count = result.count;
    if (!done)
        stepper_report(t, &result);
    return done;
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

static bool write_program(struct test_context *t, const struct generator_place *place,
                          enum generated_shape shape, uint64_t seed)
{
    bool fits;

    generated_program_close();
    fits = generate(&generated, place, shape, seed);
    if (!fits)
        test_fail(t, "test bug: the program of seed 0x%lx does not fit its pages", seed);
    set_executable(fits);
    describe();
    return fits;
}

const struct program *generated_program_at(struct test_context *t, enum generated_shape shape,
                                           uint64_t seed, uint64_t address)
{
    const struct generator_place place = {
        .kernel_page = generated_kernel_page,
        .user_page = generated_user_page,
        .kernel_address = address,
        .user_address = address ? address - PAGE_SIZE : 0,
        .user_stack_top = (uint64_t)user_stack_top,
    };

    if (!write_program(t, &place, shape, seed) || (address && !map_alias(address)))
        return NULL;
    return step_through(t) ? &program : NULL;
}

const struct program *generated_program(struct test_context *t, enum generated_shape shape,
                                        uint64_t seed)
{
    return generated_program_at(t, shape, seed, 0);
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
    note_bytes(t, "kernel", generated_kernel_page, generated.kernel_bytes);
    note_bytes(t, "user", generated_user_page, generated.user_bytes);
    test_note(t, "as stepped through:");
    for (size_t i = 0; i < program.count; i++)
        test_note(t, "%4zu %s 0x%lx -> 0x%lx", i, transfer_kind_name(program.truth[i].kind),
                  program.truth[i].from, program.truth[i].to);
}
