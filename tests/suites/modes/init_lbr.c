/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does INIT do to architectural last-branch records that are being recorded? Two readings of
 * the manual are known (D 24): observed.
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/test.h"
#include "tests/run/other_processor.h"
#include "tests/spec/choices/choices.h"
#include "tests/workloads/workload.h"

static struct {
    uint32_t ready;
    uint64_t before, after; /* IA32_LBR_CTL */
} found;

static void record_and_halt(void *unused)
{
    (void)unused;
    insn_cli();
    lbr_select(0);
    lbr_clear();
    debugctl_write_safe(DEBUGCTL_LBR);
    workload_near_branches.entry();
    found.before = lbr_arch_read_control();
    __atomic_store_n(&found.ready, 1, __ATOMIC_RELEASE);
    for (;;)
        insn_hlt();
}

static void look(void *unused)
{
    (void)unused;
    found.after = lbr_arch_read_control();
}

/* All of it kept, LBREn alone cleared, all cleared. */
static enum choice_value outcome(void)
{
    if (found.after == found.before)
        return VALUE_KEPT;
    if (found.after == (found.before & ~(uint64_t)LBR_CTL_LBREN))
        return VALUE_STOPS;
    return found.after ? VALUE_CHANGED : VALUE_CLEARED;
}

TEST(init, architectural_lbrs, CLAIMS("ALBR-1"), NEEDS(SECOND_PROCESSOR, ARCH_LBR))
{
    found.ready = 0;
    if (!other_start(t, 1) || !other_begin(t, 1, record_and_halt, NULL) ||
        !EXPECT(t, SETUP, other_gets_ready(&found.ready),
                "processor 1: it did not get recording on in time") ||
        !EXPECT(t, MSR_VALUE, found.before & LBR_CTL_LBREN, "processor 1: LBREn is clear") ||
        !other_start_in_real_mode(t, 1, NULL) || !other_run(t, 1, look, NULL))
        return;
    choice_learn(t, CHOICE_INIT_LBR, outcome());
    other_make_quiet(t, 1);
    other_stop(t, 1);
}
