/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do counters and the BTS threshold interrupt, by NMI too, on a processor whose local APIC is in
 * x2APIC mode as it does in the other one (F11.2)? Another processor goes there for a while, the
 * rest of the machine stays in xAPIC mode. Tests of the other suites, body and oracle unchanged,
 * run there.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "kernel/report/test.h"
#include "tests/run/apic_off_risk.h"
#include "tests/run/other_processor.h"

#define WHY_SIZE 160

static const char *const chosen[] = {
    "counters.interrupt_as_nmi",
    "threshold.comes_once_and_masks_its_lvt",
    "threshold.comes_as_nmi",
};

static const char *without_suite(const char *name)
{
    while (*name != '.')
        name++;
    return name + 1;
}

static void visit(void *why)
{
    insn_cli();
    *(const char **)why = apic_visit_x2apic();
    insn_sti();
}

static void leave(void *why)
{
    insn_cli();
    *(const char **)why = apic_init_other();
    insn_sti();
}

/* False after a test_skip() or test_fail(). */
static bool is_there(struct test_context *t)
{
    static const char *why;

    if (processor_is_started(1))
        return true;
    if (!other_start(t, 1) || !other_run(t, 1, visit, &why))
        return false;
    if (why)
        test_skip(t, "processor 1: %s", why);
    return !why;
}

static void run_there(struct test_context *t, const struct test *test)
{
    char why[WHY_SIZE];
    const char *reason = other_lacks(1, test, why, sizeof why);

    if (!reason && !is_there(t))
        return;
    if (!reason)
        reason = other_run_test(t, 1, test);
    if (reason)
        test_skip(t, "%s", reason);
}

static void go_home(struct test_context *t)
{
    static const char *why;

    if (!processor_is_started(1) || !other_run(t, 1, leave, &why))
        return;
    if (why)
        test_fail(t, "processor 1: %s", why);
    other_stop(t, 1);
}

TEST(processors, interrupts_in_x2apic_mode, CLAIMS("ISR-2", "BTS-5"),
     NEEDS(SECOND_PROCESSOR, PMI, X2APIC))
{
    if (apic_mode() == APIC_MODE_X2APIC) {
        test_skip(t, "every processor is in x2APIC mode, and all tests are about it");
        return;
    }
    if (!apic_may_go_off(t)) /* on its way back */
        return;
    TEST_NUMBERS(t, i, 0, COUNT_OF(chosen), "ISR-2", "%s", without_suite(chosen[i]))
        run_there(t, test_named(chosen[i]));
    go_home(t);
}
