/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counter's interrupt and a local APIC that is switched off: none comes through it, the entry is
 * masked meanwhile, and once it is on again they come as before. And what an interrupt changes in
 * the entries: the mask of its own, nothing else.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/test.h"
#include "tests/run/apic_off_risk.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"

#define ITERATIONS 200

static struct counting counting;

/* Its interrupts are counted, none is served: a delivery leaves the entry masked. */
static bool begin(struct test_context *t)
{
    counting = (struct counting){
        .workload = &workload_counted_loop, .iterations = ITERATIONS, .once = true};
    if (!counting_prepare(t, &counting, (struct counter){.number = 0}, COUNTER_OS | COUNTER_PMI))
        return false;
    test_under(t, UNDER(COUNTER));
    pmi_watch_start(APIC_DELIVERY_FIXED);
    return true;
}

static void end(void)
{
    pmi_watch_stop();
    counting_end();
}

static void expect_interrupts(struct test_context *t, const char *when, size_t wanted)
{
    counting_run(t, &counting);
    pmu_status_clear(pmu_status());
    EXPECT_COUNT(t, PMI, when, pmi_watch_wait(wanted), wanted);
}

/* --- off by software: every mask bit is set, and cannot be cleared (F5.15) --- */

static void expect_masked(struct test_context *t, const char *when, uint32_t entry)
{
    EXPECT(t, PMI_LVT, apic_pmi_raw() == (entry | APIC_LVT_MASKED),
           "the LVT entry of a local APIC that is off is %#x %s, expected %#x", apic_pmi_raw(),
           when, entry | APIC_LVT_MASKED);
}

static void check_off(struct test_context *t, uint32_t entry)
{
    expect_masked(t, "at once", entry);
    apic_pmi_write(entry & ~APIC_LVT_MASKED);
    expect_masked(t, "after its mask bit was written clear", entry);
    apic_pmi_write(entry | APIC_LVT_MASKED);
    expect_masked(t, "after its mask bit was written set", entry);
}

static void check_software_off(struct test_context *t, bool masked, size_t interrupts)
{
    uint32_t entry = apic_pmi_raw() & ~APIC_LVT_MASKED;

    apic_pmi_write(entry | (masked ? APIC_LVT_MASKED : 0));
    insn_cli();
    apic_software_off();
    check_off(t, entry);
    counting_run(t, &counting);
    apic_software_on();
    insn_sti();
    EXPECT_COUNT(t, PMI, "interrupts through a local APIC that was off", pmi_watch_wait(interrupts),
                 interrupts);
    apic_pmi_write(entry);
    expect_interrupts(t, "interrupts after it was on again", interrupts + 1);
}

TEST(counters, software_disabled_apic_masks_the_entry, CLAIMS("ISR-2", "FRZ-9"),
     NEEDS(PERFMON, PMI))
{
    if (!apic_may_go_off(t) || !begin(t))
        return;
    check_software_off(t, false, 0);
    check_software_off(t, true, 1);
    end();
}

/* --- off as a whole: what was set up may be lost (F11.1a) --- */

static void check_power(struct test_context *t)
{
    struct apic_found found;
    const char *wrong;

    insn_cli();
    counting_run(t, &counting); /* its interrupt waits in the local APIC, and may be lost */
    wrong = apic_power_off();
    if (wrong) {
        insn_sti();
        test_skip(t, "%s", wrong);
        return;
    }
    counting_run(t, &counting);
    wrong = apic_power_on(&found);
    insn_sti();
    if (wrong) {
        test_fail(t, "%s", wrong);
        return;
    }
    EXPECT(t, PMI_LVT, found.enabled || found.pmi & APIC_LVT_MASKED,
           "the local APIC came back off by software, with the LVT entry %#x, which is not masked",
           found.pmi);
    EXPECT(t, PMI_EXTRA, pmi_watch_wait(0) <= 1,
           "%zu interrupts of one overflow before the local APIC was off and one meanwhile",
           pmi_watch_wait(0));
    pmi_watch_start(APIC_DELIVERY_FIXED);
    expect_interrupts(t, "interrupts after it was on again", 1);
}

TEST(counters, interrupts_come_again_after_the_apic_was_off, CLAIMS("ISR-2", "FRZ-9"),
     NEEDS(PERFMON, PMI))
{
    if (!apic_may_go_off(t) || !begin(t))
        return;
    check_power(t);
    end();
}

/* No change of the local APIC's state: it keeps all that it has. */
TEST(counters, apic_base_written_again_changes_nothing, CLAIMS("ISR-2", "FRZ-9"),
     NEEDS(PERFMON, PMI))
{
    uint32_t entry;

    if (!begin(t))
        return;
    entry = apic_pmi_raw();
    EXPECT(t, MSR_REFUSES, apic_base_write_again(),
           "writing IA32_APIC_BASE the value that it has raises #GP");
    EXPECT_EQUAL(t, PMI_LVT, "the LVT entry", apic_pmi_raw(), entry);
    expect_interrupts(t, "interrupts afterwards", 1);
    end();
}

/* --- the entries --- */

/* Its mask and nothing else is set by delivery (F5.12). */
static void check_own_entry(struct test_context *t)
{
    uint32_t entry = apic_pmi_raw();

    expect_interrupts(t, "interrupts", 1);
    EXPECT_EQUAL(t, PMI_LVT, "the LVT entry after an interrupt", apic_pmi_raw(),
                 entry | APIC_LVT_MASKED);
}

static void check_other_entry(struct test_context *t)
{
    const uint32_t before = apic_lint0();
    const uint32_t entry = APIC_LVT_MASKED | APIC_LVT_LEVEL | APIC_LVT_POLARITY | VECTOR_SPURIOUS;

    apic_lint0_write(entry);
    EXPECT_EQUAL(t, PMI_LVT, "the entry of LINT0 as it was written", apic_lint0(), entry);
    check_own_entry(t);
    EXPECT_EQUAL(t, PMI_LVT, "the entry of LINT0 after an interrupt", apic_lint0(), entry);
    apic_lint0_write(before);
}

TEST(counters, an_interrupt_masks_its_own_entry_alone, CLAIMS("ISR-2"), NEEDS(PERFMON, PMI))
{
    if (!begin(t))
        return;
    if (entry_raises_smi(apic_lint0()))
        check_own_entry(t); /* LINT0's is the firmware's */
    else
        check_other_entry(t);
    end();
}

/* Read only where writing it is allowed at all, in xAPIC mode (F5.10, F5.11). */
TEST(counters, delivery_status_is_not_written, CLAIMS("ISR-2"), NEEDS(PERFMON, PMI))
{
    uint32_t entry;

    if (apic_mode() == APIC_MODE_X2APIC) {
        test_skip(t, "the local APIC is in x2APIC mode: writing delivery status raises #GP");
        return;
    }
    if (!begin(t))
        return;
    entry = apic_pmi_raw();
    apic_pmi_write(entry | APIC_LVT_STATUS);
    EXPECT_EQUAL(t, PMI_LVT, "the LVT entry, its delivery status written set", apic_pmi_read(),
                 entry);
    expect_interrupts(t, "interrupts afterwards", 1);
    end();
}
