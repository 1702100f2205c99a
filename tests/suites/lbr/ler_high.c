/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the last-exception record hold 32-bit addresses outside IA-32e mode (LER-1, F8.32), those
 * whose bit 31 is set as well? Upper halves are clear, or what they were: both is 0 here, for the
 * record before is one of ring 3 below 4 GiB.
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/page_tables.h"
#include "arch/trace/lbr.h"
#include "kernel/report/test.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"
#include "tests/run/protected_code.h"
#include "tests/run/run.h"
#include "tests/workloads/modes/protected_mode.h"

#define SECOND_ADDRESS 0x80000000u /* of everything in the first 4 MiB */
#define PAGE_ENTRIES   1024u
#define PRESENT_RW     3u

/* No format has flags in these bits of an address (F8.17). */
#define ADDRESS_BITS 0xffffffffffffull

static uint32_t table[PAGE_ENTRIES] __attribute__((aligned(PAGE_SIZE)));
static uint32_t directory[PAGE_ENTRIES] __attribute__((aligned(PAGE_SIZE)));

static uint32_t physical(const void *address)
{
    return (uint32_t)kernel_physical(address);
}

/* The low memory at its own addresses and from the second one on. */
static uint32_t make_directory(void)
{
    for (uint32_t i = 0; i < PAGE_ENTRIES; i++)
        table[i] = i * PAGE_SIZE | PRESENT_RW;
    directory[0] = physical(table) | PRESENT_RW;
    directory[SECOND_ADDRESS / PAGE_SIZE / PAGE_ENTRIES] = directory[0];
    return physical(directory);
}

static void leave_a_record(void *known)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .hold_off_interrupts = true};
    static struct observation ignored;

    insn_cli();
    run_quietly(program_of_workload(&workload_compat_ud), &run, &ignored);
    ler_read(known);
    insn_sti();
}

static struct protected_mode_data *tell(void)
{
    struct protected_mode_data *data = protected_code_prepare(
        protected_high, protected_high_enter, protected_high_leave, protected_high_back);

    data->on = DEBUGCTL_LBR;
    data->directory = make_directory();
    data->based = protected_code_pointer(protected_high, protected_high_there, PROTECTED_CODE_FLAT,
                                         -SECOND_ADDRESS);
    data->asked[0] = lbr_stack()->ler_from;
    data->asked[1] = lbr_stack()->ler_to;
    data->idt[VECTOR_UD] =
        protected_code_gate(low_code_address(protected_high, (uintptr_t)protected_high_handler));
    return data;
}

static void expect_address(struct test_context *t, enum finding_kind kind, const char *where,
                           uint64_t got, const uint8_t *label)
{
    const struct finding finding = {
        .kind = kind,
        .where = where,
        .expected = low_code_address(protected_high, (uintptr_t)label) + SECOND_ADDRESS,
        .got = got & ADDRESS_BITS,
    };

    if (finding.got != finding.expected)
        test_find(t, &finding);
}

static void check(struct test_context *t)
{
    const struct real_mode_code code = {protected_high,
                                        (size_t)(protected_high_end - protected_high)};
    const struct protected_mode_data *data = tell();

    if (!other_record_in_real_mode(t, 1, &code, DEBUGCTL_LBR))
        return;
    if (EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1)) {
        expect_address(t, FINDING_LER_FROM, "FROM", data->answer[0], protected_high_there);
        expect_address(t, FINDING_LER_TO, "TO", data->answer[1], protected_high_target);
    }
    other_make_quiet(t, 1);
}

TEST(ler, last_branch_above_2_gib_in_protected_mode, CLAIMS("LER-1"),
     NEEDS(SECOND_PROCESSOR, LER, LBR_LEGACY))
{
    static struct ler known;

    if (!other_start(t, 1) || !other_run(t, 1, leave_a_record, &known))
        return;
    if (EXPECT(t, LER_FROM, !((known.from | known.to) >> 32),
               "a record of 32-bit code in compatibility mode is %#lx -> %#lx", known.from,
               known.to))
        check(t);
    other_stop(t, 1);
}
