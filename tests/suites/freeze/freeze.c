/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a performance-monitoring interrupt freeze the LBR stack (IA32_DEBUGCTL bit 11) and the
 * counters (bit 12), each exactly when enabled, from every trigger, in the flavour of this
 * processor?
 *
 * | flavour     | LBR stack frozen by             | counters frozen by                | version |
 * | ----------- | ------------------------------- | --------------------------------- | ------- |
 * | legacy      | IA32_DEBUGCTL.LBR cleared       | IA32_PERF_GLOBAL_CTRL cleared     | 2, 3    |
 * | streamlined | IA32_PERF_GLOBAL_STATUS.LBR_Frz | IA32_PERF_GLOBAL_STATUS.CTR_Frz   | 4 on    |
 *
 * Everything of the other flavour must stay as it was (F7.2, F7.3). Only the documented step thaws
 * (F7.7, F7.8). Where there is no LBR stack, the settings without bit 11 are left.
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "arch/lib/printf.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/freeze/freeze_check.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/freeze/freeze_run.h"
#include "tests/spec/observe.h"

#define FROZEN_RECORDS 32

#define FREEZE_BITS ((uint64_t)(DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI))

static const struct {
    uint64_t bits;
    const char *name;
} settings[] = {
    {0, "lbr0_counters0"},
    {FREEZE_BITS, "lbr1_counters1"}, /* before each alone: then that is known to freeze at all */
    {DEBUGCTL_FREEZE_LBRS_ON_PMI, "lbr1_counters0"},
    {DEBUGCTL_FREEZE_PERFMON_ON_PMI, "lbr0_counters1"},
};

#define SETTINGS       COUNT_OF(settings)
#define BOTH           1
#define COUNTERS_ALONE 3

static bool is_possible(size_t setting)
{
    return freeze_is_possible(settings[setting].bits);
}

static size_t most_possible(void)
{
    return is_possible(BOTH) ? BOTH : COUNTERS_ALONE;
}

static void trigger_name(const struct freeze_trigger *trigger, char *text, size_t size)
{
    char counter[16] = "";

    if (trigger->kind != TRIGGER_BTS)
        pmu_counter_name(trigger->counter, counter, sizeof counter);
    format_string(text, size, "%s%s%s%s%s%s%s%s",
                  trigger->kind == TRIGGER_BTS    ? "bts_threshold"
                  : trigger->kind == TRIGGER_PEBS ? "pebs_threshold_"
                                                  : "",
                  counter, trigger->without_pmi ? "_without_pmi_bit" : "",
                  trigger->held_off ? "_held_off" : "", trigger->user ? "_from_ring_3" : "",
                  trigger->delivery == APIC_DELIVERY_NMI ? "_as_nmi" : "",
                  trigger->also & DEBUGCTL_BTS_OFF_OS ? "_off_os" : "",
                  trigger->also & DEBUGCTL_BTS_OFF_USR ? "_off_usr" : "");
}

/* FREEZE_LBRS_ON_PMI may take TR away as it is written (F7.13). */
static bool can_be_written(const struct freeze_trigger *trigger, uint64_t bits)
{
    uint64_t debugctl = freeze_debugctl(trigger, bits);

    return freeze_written(debugctl) == debugctl;
}

static void check_setting(struct test_context *t, const struct freeze_trigger *trigger,
                          const char *claim, size_t setting)
{
    char name[48];

    trigger_name(trigger, name, sizeof name);
    test_begin(t, claim, "%s_%s_%s", freeze_is_streamlined() ? "streamlined" : "legacy",
               settings[setting].name, name);
    if (trigger->kind == TRIGGER_COUNTER && !trigger->without_pmi)
        test_breaks_too(t, "PM-1");
    if (!is_possible(setting)) {
        test_skip_without(t, FEATURE_LBR);
    } else if (!can_be_written(trigger, settings[setting].bits)) {
        test_skip(t, "FREEZE_LBRS_ON_PMI clears TR as it is written");
    } else {
        freeze_check(t, trigger, settings[setting].bits);
        freeze_end();
    }
    test_end(t);
}

static void check_trigger(struct test_context *t, const struct freeze_trigger *trigger,
                          const char *claim)
{
    for (size_t i = 0; i < SETTINGS; i++)
        check_setting(t, trigger, claim, i);
}

static void check_counters(struct test_context *t, bool fixed, bool without_pmi, const char *claim)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), chosen = 0;

    for (unsigned i = 0; i < count; i++)
        chosen += counters[i].fixed == fixed && freeze_can_trigger(counters[i]);
    if (!chosen) {
        test_skip(t, "CPUID.0AH: no %s counter", fixed ? "fixed" : "general-purpose");
        return;
    }
    test_plan(t, (unsigned)SETTINGS * chosen);
    for (unsigned i = 0; i < count; i++) {
        const struct freeze_trigger trigger = {.counter = counters[i], .without_pmi = without_pmi};

        if (counters[i].fixed == fixed && freeze_can_trigger(counters[i]))
            check_trigger(t, &trigger, claim);
    }
}

TEST(freeze, by_every_general_counter,
     CLAIMS("FRZ-2", "FRZ-3", "FRZ-4", "FRZ-5", "FRZ-6", "FRZ-7", "FRZ-8", "FRZ-9", "FRZ-13",
            "PM-1", "ALBR-6"),
     NEEDS(FREEZE, PMI))
{
    check_counters(t, false, false, "FRZ-9");
}

TEST(freeze, by_every_fixed_counter,
     CLAIMS("FRZ-2", "FRZ-3", "FRZ-4", "FRZ-5", "FRZ-6", "FRZ-7", "FRZ-8", "FRZ-10", "FRZ-13",
            "PM-1"),
     NEEDS(FREEZE, PMI))
{
    check_counters(t, true, false, "FRZ-10");
}

TEST(freeze, not_by_a_general_counter_without_pmi, CLAIMS("FRZ-9"), NEEDS(FREEZE, PMI))
{
    check_counters(t, false, true, "FRZ-9");
}

TEST(freeze, not_by_a_fixed_counter_without_pmi, CLAIMS("FRZ-10"), NEEDS(FREEZE, PMI))
{
    check_counters(t, true, true, "FRZ-10");
}

TEST(freeze, by_the_pebs_threshold, CLAIMS("FRZ-11", "FRZ-2", "FRZ-5", "FRZ-6", "FRZ-8", "FRZ-13"),
     NEEDS(FREEZE, PMI, PEBS_RECORDS))
{
    const struct freeze_trigger trigger = {.kind = TRIGGER_PEBS};

    test_plan(t, SETTINGS);
    check_trigger(t, &trigger, "FRZ-11");
}

TEST(freeze, by_the_pebs_threshold_in_ring_3,
     CLAIMS("FRZ-11", "FRZ-2", "FRZ-5", "FRZ-6", "FRZ-8", "FRZ-13"),
     NEEDS(FREEZE, PMI, PEBS_RECORDS, SYSCALL))
{
    const struct freeze_trigger trigger = {.kind = TRIGGER_PEBS, .user = true};

    test_plan(t, SETTINGS);
    check_trigger(t, &trigger, "FRZ-11");
}

/* LBR_Frz, set by software: do branch records go on? */
static void learn_of_frozen_bts(struct test_context *t)
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = FROZEN_RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };
    struct observation got;

    pmu_status_set(PERF_GLOBAL_STATUS_LBR_FRZ);
    if (pmu_status() & PERF_GLOBAL_STATUS_LBR_FRZ &&
        observe(t, program_of_length(FROZEN_RECORDS / 2), &run, &got))
        choice_learn(t, CHOICE_FREEZE_STOPS_BTS, got.index ? VALUE_NO : VALUE_YES);
    pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ);
}

/* D 1: the sources disagree. The first interrupt shows the processor's choice, which is then
 * held. */
TEST(freeze, by_the_bts_threshold, CLAIMS("FRZ-12", "FRZ-13"), NEEDS(FREEZE, PMI, BTS))
{
    const struct freeze_trigger trigger = {.kind = TRIGGER_BTS};

    freeze_learn_beside_tr(t);
    test_plan(t, SETTINGS);
    check_trigger(t, &trigger, "FRZ-12");
    if (feature_present(FEATURE_PERFMON4))
        learn_of_frozen_bts(t);
}

/* In the ring that they leave to be stored, as it does without them. */
TEST(freeze, by_the_bts_threshold_under_the_off_bits, CLAIMS("FRZ-12"),
     NEEDS(FREEZE, PMI, BTS, DS_CPL, SYSCALL))
{
    static const struct freeze_trigger triggers[] = {
        {.kind = TRIGGER_BTS, .also = DEBUGCTL_BTS_OFF_USR},
        {.kind = TRIGGER_BTS, .also = DEBUGCTL_BTS_OFF_OS, .user = true},
        {.kind = TRIGGER_BTS, .user = true},
    };

    freeze_learn_beside_tr(t);
    test_plan(t, COUNT_OF(triggers));
    for (size_t i = 0; i < COUNT_OF(triggers); i++)
        check_setting(t, &triggers[i], "FRZ-12", most_possible());
}

/* The first general-purpose and the first fixed counter, where they count instructions. */
static void check_first_counters(struct test_context *t, struct freeze_trigger trigger)
{
    static const struct counter first[] = {{.number = 0}, {.fixed = true}};
    bool exists[2];

    for (size_t i = 0; i < 2; i++)
        exists[i] = pmu_counter_exists(first[i]) && freeze_can_trigger(first[i]);
    if (!exists[0] && !exists[1]) {
        test_skip(t, "CPUID.0AH:EBX[1] = 1: no event instructions retired");
        return;
    }
    test_plan(t, (unsigned)SETTINGS * ((unsigned)exists[0] + (unsigned)exists[1]));
    for (size_t i = 0; i < 2; i++) {
        trigger.counter = first[i];
        if (exists[i])
            check_trigger(t, &trigger, first[i].fixed ? "FRZ-10" : "FRZ-9");
    }
}

/* The overflow freezes, not the delivery of the interrupt: that one waits for STI (F5.7, F7.6). */
TEST(freeze, by_the_overflow_while_interrupts_are_held_off,
     CLAIMS("FRZ-2", "FRZ-5", "FRZ-6", "FRZ-8", "FRZ-9", "FRZ-10", "FRZ-13"), NEEDS(FREEZE, PMI))
{
    check_first_counters(t, (struct freeze_trigger){.held_off = true});
}

TEST(freeze, by_an_overflow_that_interrupts_as_nmi,
     CLAIMS("FRZ-2", "FRZ-5", "FRZ-6", "FRZ-8", "FRZ-9", "FRZ-10", "FRZ-13"), NEEDS(FREEZE, PMI))
{
    check_first_counters(t, (struct freeze_trigger){.delivery = APIC_DELIVERY_NMI});
}

TEST(freeze, by_an_overflow_in_ring_3,
     CLAIMS("FRZ-2", "FRZ-5", "FRZ-6", "FRZ-8", "FRZ-9", "FRZ-10", "FRZ-13"),
     NEEDS(FREEZE, PMI, SYSCALL))
{
    check_first_counters(t, (struct freeze_trigger){.user = true});
}

static bool samples_instructions(struct counter counter)
{
    uint64_t bit = counter.fixed ? PEBS_FIXED(counter.number) : PEBS_GENERAL(counter.number);

    return pebs_counters() & bit &&
           (!counter.fixed || pmu_fixed_event(counter.number) == PMU_INSTRUCTIONS);
}

/* PMC0 has every setting above. */
TEST(freeze, by_the_pebs_threshold_of_the_other_counters,
     CLAIMS("FRZ-11", "FRZ-2", "FRZ-5", "FRZ-6", "FRZ-8"), NEEDS(FREEZE, PMI, PEBS_RECORDS))
{
    struct counter counters[PMU_COUNTERS_MAX], others[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), chosen = 0;

    for (unsigned i = 0; i < count; i++)
        if ((counters[i].fixed || counters[i].number) && samples_instructions(counters[i]))
            others[chosen++] = counters[i];
    if (!chosen) {
        test_skip(t, "PEBS is on one counter alone");
        return;
    }
    test_plan(t, chosen);
    for (unsigned i = 0; i < chosen; i++)
        check_setting(t, &(struct freeze_trigger){.kind = TRIGGER_PEBS, .counter = others[i]},
                      "FRZ-11", most_possible());
}
