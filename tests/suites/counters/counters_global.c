/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers that the counters share: does each bit mean one counter, is read-only what must be,
 * and do the registers of version 4 set, freeze and tell as they should?
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "arch/cpu/identity/models.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"
#include "tests/spec/choices/write_outcome.h"

static void expect_control(struct test_context *t, uint64_t value)
{
    enum write_outcome outcome =
        write_and_look(t, "IA32_PERF_GLOBAL_CTRL", IA32_PERF_GLOBAL_CTRL, value);

    EXPECT(t, MSR_REFUSES, outcome == WRITE_STUCK,
           "IA32_PERF_GLOBAL_CTRL, writing %#lx: %s, it is %#lx", value,
           write_outcome_text(outcome), pmu_global_control());
}

/*
 * The manual has two readings of the value after RESET. The value found at boot is that one if no
 * counter was used yet, otherwise perhaps the firmware's. A core may have and enable more counters
 * than leaf 0AH enumerates (F21.35).
 */
static void learn_reset_enables(struct test_context *t)
{
    uint64_t found = trace_features()->control_found, general = pmu_enumerated() & UINT32_MAX;
    uint64_t differs = (found ^ general) & ~(pmu_in_doubt_bits() & UINT32_MAX);

    if (trace_features()->counters_untouched)
        choice_learn(t, CHOICE_RESET_ENABLES,
                     !found     ? VALUE_NONE
                     : !differs ? VALUE_GENERAL
                                : VALUE_OTHERS);
}

TEST(counters, global_control_has_a_bit_for_each, CLAIMS("FRZ-7", "PM-1"), NEEDS(PERFMON2))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        expect_control(t, pmu_global_bit(counters[i]));
    expect_control(t, pmu_all_counters());
    for (unsigned i = 0; i < count; i++)
        expect_control(t, pmu_all_counters() & ~pmu_global_bit(counters[i]));
    expect_control(t, 0);
    learn_reset_enables(t);
}

/* A write has no effect; whether it raises #GP is open (F6.10). */
static void expect_read_only(struct test_context *t, const char *name, uint32_t number,
                             enum choice choice)
{
    uint64_t before = 0;

    EXPECT(t, MSR_REFUSES, !exception_happened(rdmsr_safe(number, &before)), "reading %s faults",
           name);
    for (unsigned bit = 0; bit < 64; bit++) {
        enum write_outcome outcome = write_and_look(t, name, number, before ^ 1ull << bit);

        uint64_t after = 0;

        rdmsr_safe(number, &after);
        if (EXPECT(t, MSR_ACCEPTS, after == before, "%s becomes %#lx by a write of bit %u", name,
                   after, bit))
            choice_learn(t, choice, write_outcome_value(outcome));
    }
}

/* Software clears and sets through registers of their own (F6.10). */
TEST(counters, status_is_read_only, CLAIMS("ISR-3"), NEEDS(PERFMON2))
{
    expect_read_only(t, "IA32_PERF_GLOBAL_STATUS", IA32_PERF_GLOBAL_STATUS, CHOICE_STATUS_WRITE);
}

TEST(counters, in_use_is_read_only, CLAIMS("PM-1"), NEEDS(PERFMON4))
{
    expect_read_only(t, "IA32_PERF_GLOBAL_INUSE", IA32_PERF_GLOBAL_INUSE, CHOICE_INUSE_WRITE);
}

static uint64_t status_now(void)
{
    return pmu_status() & pmu_status_mask();
}

/* One bit at a time, then all; each set exactly and cleared exactly (F6.7, F6.8). */
TEST(counters, status_can_be_set, CLAIMS("FRZ-1"), NEEDS(PERFMON4))
{
    uint64_t bits = pmu_status_mask();

    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t value = 1ull << bit;

        if (!(bits & value))
            continue;
        EXPECT(t, MSR_REFUSES, !exception_happened(pmu_status_set(value)),
               "setting status bit %u faults", bit);
        EXPECT_EQUAL(t, MSR_VALUE, "status after one bit was set", status_now(), value);
        EXPECT(t, MSR_REFUSES, !exception_happened(pmu_status_set(0)),
               "setting no status bit faults");
        EXPECT_EQUAL(t, MSR_VALUE, "status after none was set", status_now(), value);
        pmu_status_set(value);
        EXPECT_EQUAL(t, MSR_VALUE, "status after the bit was set once more", status_now(), value);
        pmu_status_clear(value);
        EXPECT_EQUAL(t, MSR_VALUE, "status after the bit was cleared", status_now(), 0);
    }
    pmu_status_set(bits);
    EXPECT_EQUAL(t, MSR_VALUE, "status after all bits were set", status_now(), bits);
    pmu_status_clear(bits);
    EXPECT_EQUAL(t, MSR_VALUE, "status after all bits were cleared", status_now(), 0);
}

/* Reserved there, or it sets the bit: two texts differ (F6.8); an erratum lets it pass. */
TEST(counters, status_set_refuses_condition_changed, CLAIMS("PM-1"), NEEDS(PERFMON4))
{
    uint64_t before = pmu_status() & PERF_GLOBAL_STATUS_COND;
    struct exception exception = pmu_status_set(PERF_GLOBAL_STATUS_COND);
    uint64_t now = pmu_status() & PERF_GLOBAL_STATUS_COND;

    EXPECT(t, EXCEPTION,
           !exception_happened(exception) ||
               (exception.vector == VECTOR_GP && exception.error_code == 0),
           "raises %s with error code %#x", exception_name(exception), exception.error_code);
    if (exception_happened(exception))
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_STATUS.CondChgd", now, before);
    choice_learn(t, CHOICE_STATUS_SET_COND,
                 exception_happened(exception) ? VALUE_FAULT
                 : now & ~before               ? VALUE_STICKS
                                               : VALUE_IGNORED);
    pmu_status_clear(PERF_GLOBAL_STATUS_COND);
}

/* Without version 4 there is nothing to set, and no freeze bit to clear (F1.12, FRZ-1). */
TEST_UNLESS(counters, no_freeze_bits_before_version_4, CLAIMS("FRZ-1"), NEEDS(PERFMON2),
            feature_present(FEATURE_PERFMON4), "perfmon version is %u", pmu_version())
{
    const uint64_t freezes = PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ;
    struct exception exception;

    if (!core_has(UNCORE_AT_391H)) {
        exception = pmu_status_set(freezes);
        choice_learn(t, CHOICE_STATUS_SET_ABSENT,
                     exception_happened(exception) ? VALUE_FAULT : VALUE_IGNORED);
    }
    EXPECT(t, MSR_VALUE, !(pmu_status() & freezes), "the status has freeze bits in version %u",
           pmu_version());
    exception = wrmsr_safe(IA32_PERF_GLOBAL_OVF_CTRL, freezes);
    choice_learn(t, CHOICE_STATUS_CLEAR_ABSENT,
                 exception_happened(exception) ? VALUE_FAULT : VALUE_IGNORED);
}

/* F7.9: software freezes what a PMI would freeze; each counter by itself, read twice. */
static void check_software_freeze(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 100};
    enum pmu_event event = counting_event(t, counter);
    uint64_t before, after;

    if (event == PMU_EVENT_COUNT)
        return;
    pmu_program(counter, event, COUNTER_OS | COUNTER_USR);
    pmu_status_set(PERF_GLOBAL_STATUS_CTR_FRZ);
    pmu_set_global_control(pmu_global_bit(counter));
    before = pmu_read(counter);
    counting_run_workload(&counting);
    after = pmu_read(counter);
    EXPECT(t, FREEZE_COUNTERS, after == before && pmu_read(counter) == after,
           "counts from %#lx to %#lx with CTR_Frz set", before, after);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL", pmu_global_control(),
                 pmu_global_bit(counter));
    EXPECT_EQUAL(t, MSR_VALUE, "status", status_now(), PERF_GLOBAL_STATUS_CTR_FRZ);
    pmu_status_clear(PERF_GLOBAL_STATUS_CTR_FRZ);
    counting_run_workload(&counting);
    EXPECT(t, FREEZE_COUNTERS, pmu_read(counter) > after,
           "does not go on after CTR_Frz was cleared");
}

TEST(counters, counter_freeze_set_by_software, CLAIMS("FRZ-8"), NEEDS(PERFMON4))
{
    counting_each(t, "FRZ-8", "FRZ-8", check_software_freeze);
}

/* The other freeze bit does not concern the counters (FRZ-13). */
static void check_counts_beside_lbr_freeze(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 100};
    enum pmu_event event = counting_event(t, counter);

    if (event == PMU_EVENT_COUNT)
        return;
    pmu_program(counter, event, COUNTER_OS | COUNTER_USR);
    pmu_status_set(PERF_GLOBAL_STATUS_LBR_FRZ);
    pmu_set_global_control(pmu_global_bit(counter));
    counting_run_workload(&counting);
    EXPECT(t, FREEZE_COUNTERS, pmu_read(counter) > 0, "stands still with LBR_Frz set");
    EXPECT_EQUAL(t, MSR_VALUE, "status", status_now(), PERF_GLOBAL_STATUS_LBR_FRZ);
}

TEST(counters, lbr_freeze_set_by_software_stops_no_counter, CLAIMS("FRZ-13"), NEEDS(PERFMON4))
{
    counting_each(t, "FRZ-13", "FRZ-13", check_counts_beside_lbr_freeze);
}

/* An overflow bit set by software, of a counter that may interrupt: is there a PMI (F6.8)? */
TEST(counters, status_set_and_the_interrupt, CLAIMS("PM-1"), NEEDS(PERFMON4, PMI))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++) {
        size_t interrupts;

        pmi_watch_start(APIC_DELIVERY_FIXED);
        pmu_program(counters[i], PMU_CORE_CYCLES, COUNTER_OS | COUNTER_PMI);
        pmu_status_set(pmu_global_bit(counters[i]));
        interrupts = pmi_watch_wait(0);
        pmi_watch_stop();
        counting_end();
        choice_learn(t, CHOICE_SET_INTERRUPTS, interrupts ? VALUE_YES : VALUE_NO,
                     counters[i].fixed);
    }
}
