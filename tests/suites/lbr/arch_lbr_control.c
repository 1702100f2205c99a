/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does IA32_LBR_CTL keep its bits, and let in nothing where they say so (F20.13 to F20.16)? And bit
 * 0 of IA32_DEBUGCTL, which does nothing any more.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/choices/write_outcome.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"

#define LEFT_OUT_BITS 0x1ffu /* of LBR_SELECT_…, without call-stack mode */

/* Bits that are enumerated (F20.16); LBREn apart. */
static uint64_t usable_bits(void)
{
    const struct lbr_leaf *leaf = lbr_arch();

    return (leaf->filters_rings ? LBR_CTL_RINGS : 0) | (leaf->filters_kinds ? LBR_CTL_KINDS : 0) |
           (leaf->has_call_stack ? LBR_CTL_CALL_STACK : 0);
}

/* Every set of them; LBREn alone, lest anything is recorded meanwhile. */
TEST(arch_lbr, control_keeps_what_was_written, CLAIMS("ALBR-3"), NEEDS(ARCH_LBR))
{
    uint64_t set = usable_bits();

    do {
        EXPECT(t, MSR_VALUE, write_and_look(t, "IA32_LBR_CTL", IA32_LBR_CTL, set) == WRITE_STUCK,
               "IA32_LBR_CTL does not hold %#lx", set);
        set = (set - 1) & usable_bits();
    } while (set != usable_bits() && !test_has_failed(t));
    EXPECT(t, MSR_VALUE,
           write_and_look(t, "IA32_LBR_CTL", IA32_LBR_CTL, LBR_CTL_LBREN) == WRITE_STUCK,
           "IA32_LBR_CTL does not hold LBREn");
    lbr_select(0);
    debugctl_clear();
}

/* Each alone and beside all that are not reserved. That they raise #GP one source says (F20.16). */
TEST(arch_lbr, control_refuses_reserved_bits, CLAIMS("ALBR-3"), NEEDS(ARCH_LBR))
{
    static struct reserved_bits seen;
    const struct reserved_register control = {"IA32_LBR_CTL", IA32_LBR_CTL, ~LBR_CTL_ALL,
                                              usable_bits() | LBR_CTL_LBREN};

    wrmsr_safe(IA32_LBR_CTL, 0);
    reserved_bits_check(t, &seen, &control);
    reserved_bits_observe(t, &seen, "IA32_LBR_CTL");
    lbr_select(0);
}

/* --- what is let in: some of it, lbr_filters.c --- */

static const struct {
    const char *name;
    uint64_t left_out;
} nothing[] = {
    {"no_bit", LEFT_OUT_BITS},
    {"rings_alone", LEFT_OUT_BITS & ~(LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0)},
    {"kinds_alone", LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0},
};

static void check_nothing(struct test_context *t, const struct workload *workload,
                          uint64_t left_out)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true, .select = left_out};
    struct observation seen;

    if (observe(t, program_of_workload(workload), &run, &seen))
        EXPECT(t, LBR_EXTRA, lbr_same(&seen.lbr.before, &seen.lbr.after),
               "the stack changed, although IA32_LBR_CTL let in no kind or no ring");
}

/* LBREn without a kind, or without a ring: LOOP and its like, whatever their kind (F20.14). */
TEST(arch_lbr, nothing_let_in_records_nothing, CLAIMS("ALBR-3"),
     NEEDS(ARCH_LBR, LBR_SELECT, SYSCALL))
{
    TEST_EACH(t, row, nothing, "ALBR-3", "%s", row->name) {
        check_nothing(t, &workload_near_branches, row->left_out);
        check_nothing(t, &workload_rings, row->left_out);
    }
}

/* --- bit 0 of IA32_DEBUGCTL --- */

static enum write_outcome outcome_of_bit_0(struct test_context *t)
{
    enum write_outcome outcome = write_and_look(t, "IA32_DEBUGCTL", IA32_DEBUGCTL, DEBUGCTL_LBR);

    wrmsr_safe(IA32_DEBUGCTL, 0);
    return outcome;
}

/* F20.28 is a report of what the manual says: observed. */
TEST(arch_lbr, bit_0_of_debugctl, CLAIMS("ALBR-1"), NEEDS(ARCH_LBR))
{
    struct lbr_snapshot before, after;

    choice_learn(t, CHOICE_DEBUGCTL_LBR, write_outcome_value(outcome_of_bit_0(t)));
    lbr_clear();
    lbr_capture(&before);
    wrmsr_safe(IA32_DEBUGCTL, DEBUGCTL_LBR);
    workload_near_branches.entry();
    wrmsr_safe(IA32_DEBUGCTL, 0);
    lbr_capture(&after);
    choice_learn(t, CHOICE_DEBUGCTL_LBR_RECORDS, lbr_same(&before, &after) ? VALUE_NO : VALUE_YES);
}
