/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers that another family has: LBR stacks lie at several numbers (F8.1), and some
 * registers came late (F3.71, F8.14). What such a number answers here is not claimed; that asking
 * for it does no harm is.
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_format.h"
#include "kernel/report/test.h"

/* Other processors have given the numbers below 100H other meanings: these are read alone. */
static const struct row {
    uint32_t first, count;
    bool write;
} rows[] = {
    {LBR_STACK_LOW_FROM, 8, false},       {LBR_STACK_LOW_TO, 8, false},
    {LBR_STACK_HIGH_FROM, 32, true},      {LBR_STACK_HIGH_TO, 32, true},
    {LBR_STACK_INFO, 32, true},           {MSR_OFFCORE_RSP_0, 2, false},
    {MSR_PEBS_LD_LAT_THRESHOLD, 2, true},
};

static void expect_clean(struct test_context *t, const char *access, uint32_t number,
                         struct exception exception)
{
    EXPECT(t, MSR_REFUSES,
           !exception_happened(exception) ||
               (exception.vector == VECTOR_GP && exception.error_code == 0),
           "%s of %#x: %s with error code %#x", access, number, exception_name(exception),
           exception.error_code);
}

/* Written where it refuses to be read alone: so it is not there. */
static void ask_for(struct test_context *t, uint32_t number, bool write)
{
    uint64_t value;
    struct exception refused = rdmsr_safe(number, &value);

    expect_clean(t, "RDMSR", number, refused);
    if (write && exception_happened(refused))
        expect_clean(t, "WRMSR", number, wrmsr_safe(number, 0));
}

TEST(lbr, registers_of_other_families_are_refused_cleanly, CLAIMS("LBR-1"), NEEDS(LBR))
{
    uint64_t debugctl = debugctl_read();

    for (const struct row *row = rows; row < rows + COUNT_OF(rows); row++)
        for (uint32_t i = 0; i < row->count; i++)
            ask_for(t, row->first + i, row->write);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL behind all that", debugctl_read(), debugctl);
}
