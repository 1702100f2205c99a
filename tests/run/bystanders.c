/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/bystanders.h"

#include "arch/cpu/ground/percpu.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/observe.h"

/* The places of a row. The bits of IA32_DEBUGCTL are at the first ones, in this order. */
static const uint64_t debugctl_bits[] = DEBUGCTL_OWN_BITS;

enum place {
    PLACE_SELECT = COUNT_OF(debugctl_bits),
    PLACE_PEBS,
    PLACE_CONTROL,
    PLACE_INTERRUPTING,
    PLACE_OVERFLOWED,
    PLACE_FROZEN,
    PLACES,
};

_Static_assert(PLACES <= COVERING_BITS, "a row has so many bits");

/* Neither those of the workloads' jumps alone nor all: both kinds of transfer are in each half. */
#define SELECTED (LBR_SELECT_JCC | LBR_SELECT_NEAR_REL_JMP | LBR_SELECT_NEAR_RET)

#define PEBS_PERIOD  0x10000
#define PEBS_RECORDS 8

uint64_t bystanders_debugctl(void)
{
    uint64_t bits = debugctl_enumerated();

    if (!feature_present(FEATURE_LBR))
        bits &= ~(uint64_t)DEBUGCTL_LBR;
    if (!feature_present(FEATURE_BTF))
        bits &= ~(uint64_t)DEBUGCTL_BTF;
    if (!feature_present(FEATURE_BTS))
        bits &= ~(uint64_t)DEBUGCTL_TABLE_17_6;
    return bits;
}

/* The promised bits that can be set. The suite probe checks the others. */
static uint64_t settable_debugctl(void)
{
    static uint64_t promised, settable;
    static unsigned of = PROCESSORS_MAX;

    if (of != features_slot() || promised != bystanders_debugctl())
        settable = 0;
    of = features_slot();
    promised = bystanders_debugctl();
    for (uint64_t left = settable ? 0 : promised; left; left &= left - 1) {
        if (!exception_happened(debugctl_write_safe(left & -left)))
            settable |= debugctl_read();
        debugctl_clear();
    }
    return settable;
}

static uint64_t frozen_bits(void)
{
    return PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ | PERF_GLOBAL_STATUS_OVF_BUF;
}

/* Places that mean something on this processor. */
static uint32_t meaningful(void)
{
    uint32_t mask = 0;

    for (unsigned i = 0; i < COUNT_OF(debugctl_bits); i++)
        mask |= settable_debugctl() & debugctl_bits[i] ? 1u << i : 0;
    if (feature_present(FEATURE_LBR_SELECT))
        mask |= 1u << PLACE_SELECT;
    if (feature_present(FEATURE_PEBS_RECORDS))
        mask |= 1u << PLACE_PEBS;
    if (feature_present(FEATURE_PERFMON2))
        mask |= 1u << PLACE_CONTROL | 1u << PLACE_INTERRUPTING | 1u << PLACE_OVERFLOWED;
    if (feature_present(FEATURE_PERFMON4))
        mask |= 1u << PLACE_FROZEN;
    return mask;
}

bool bystanders_have_row(unsigned row, enum rows rows)
{
    bool other_half = covering_row(row) >> PLACE_INTERRUPTING & 1;

    return !covering_repeats(row, meaningful()) &&
           (rows == ROWS_ALL || (rows == ROWS_OTHER_HALF) == other_half);
}

/* Those that can be made to overflow at once, whatever the processor's clock. */
static uint64_t instruction_counters(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_INSTRUCTIONS, counters);
    uint64_t bits = 0;

    for (unsigned i = 0; i < count; i++)
        bits |= pmu_global_bit(counters[i]);
    return bits;
}

struct bystanders bystanders_of_row(unsigned row, uint64_t own)
{
    uint32_t set = covering_row(row) & meaningful();
    uint64_t others = pmu_all_counters() & ~own;
    struct bystanders beside = {.row = row, .own = own};

    for (unsigned i = 0; i < COUNT_OF(debugctl_bits); i++)
        beside.debugctl |= set >> i & 1 ? debugctl_bits[i] : 0;
    beside.debugctl = freeze_beside_tr(beside.debugctl);
    beside.select = set >> PLACE_SELECT & 1 ? SELECTED : 0;
    beside.pebs_enable = set >> PLACE_PEBS & 1 ? pebs_counters() & others : 0;
    beside.control = set >> PLACE_CONTROL & 1 ? others : 0;
    /* One that samples does not interrupt (F3.61), and storing a record takes its bit (F3.63). */
    others &= ~beside.pebs_enable;
    beside.interrupting = set >> PLACE_INTERRUPTING & 1 ? others : 0;
    beside.overflowed = set >> PLACE_OVERFLOWED & 1 ? others & instruction_counters() : 0;
    beside.frozen = set >> PLACE_FROZEN & 1 ? frozen_bits() : 0;
    return beside;
}

static const struct bystanders *current;
static struct bystander_run *current_run;

static bool is_one_of(struct counter counter, uint64_t bits)
{
    return pmu_global_bit(counter) & bits;
}

/* One event each, without asking for an interrupt. */
static void overflow(uint64_t bits)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++) {
        if (!is_one_of(counters[i], bits))
            continue;
        pmu_program(counters[i], PMU_INSTRUCTIONS, COUNTER_OS);
        pmu_write_period(counters[i], 1);
    }
    pmu_set_global_control(bits);
    for (volatile unsigned i = 0; i < 10; i++)
        ;
    pmu_set_global_control(0);
}

/* A number of its own in each, far from overflow, which ring 0 leaves as it is. */
static void program_others(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++) {
        bool interrupts = is_one_of(counters[i], current->interrupting);

        if (is_one_of(counters[i], current->own))
            continue;
        pmu_write(counters[i], 0x11223344 + 0x1010101 * i);
        pmu_program(counters[i], PMU_INSTRUCTIONS, COUNTER_USR | (interrupts ? COUNTER_PMI : 0));
    }
}

void bystanders_end(void)
{
    if (feature_present(FEATURE_PEBS_RECORDS))
        pebs_disable();
    debugctl_clear();
    pmu_reset();
}

static void look_ahead(const struct run *run, struct observation *seen)
{
    struct facility *before = &current_run->before;

    (void)seen;
    bystanders_end();
    run_fill_stack();
    overflow(current->overflowed);
    program_others();
    if (current_run->start)
        current_run->start();
    pebs_make_adaptive(current->pebs_enable | current_run->sampled);
    if (current->frozen)
        pmu_status_set(current->frozen);
    facility_read(before);
    before->debugctl = run->debugctl;
    before->control = run->control;
    before->pebs_enable = run->pebs_enable;
    if (current_run->ready)
        current_run->ready(before);
}

/* Ends counting, so that a pending interrupt finds only what has happened. In version 1 each
 * counter is switched off; left on, it would make an emulator slow. */
static void look_behind(const struct run *run, struct observation *seen)
{
    (void)run;
    facility_read(&current_run->after);
    current_run->after.debugctl = seen->debugctl_end;
    if (feature_present(FEATURE_PERFMON2))
        pmu_set_global_control(0);
    else
        pmu_reset();
}

void bystanders_note(struct test_context *t, const struct bystanders *beside)
{
    char names[160];

    test_note(t,
              "beside it, row %u: IA32_DEBUGCTL %s; MSR_LBR_SELECT %#lx; other counters: "
              "sampling %#lx, enabled %#lx, interrupting %#lx, overflowed %#lx; frozen %#lx",
              beside->row, debugctl_format(beside->debugctl, names, sizeof names), beside->select,
              beside->pebs_enable, beside->control, beside->interrupting, beside->overflowed,
              beside->frozen);
}

static struct pebs_layout pebs_layout_of(uint64_t enabled, bool reaches_threshold)
{
    struct pebs_layout layout = {.records = PEBS_RECORDS,
                                 .threshold = reaches_threshold ? 1 : PEBS_NO_THRESHOLD};

    for (unsigned i = 0; i < PEBS_GENERAL_RESETS; i++)
        if (enabled & PEBS_GENERAL(i))
            layout.reset[i] =
                -(uint64_t)PEBS_PERIOD & pmu_counter_mask((struct counter){.number = i});
    return layout;
}

bool bystanders_run(struct test_context *t, const struct bystanders *beside,
                    struct bystander_run *how)
{
    const uint64_t sampling = beside->pebs_enable | how->sampled;
    const struct pebs_layout pebs = pebs_layout_of(sampling, how->sampled);
    const struct run run = {
        .debugctl = beside->debugctl,
        .hold_off_interrupts = true,
        .layout = {.records = feature_present(FEATURE_BTS) ? BYSTANDER_RECORDS : 0,
                   .threshold = how->bts_threshold ? how->bts_threshold : BTS_NO_THRESHOLD},
        .lbr = feature_present(FEATURE_LBR),
        .select = beside->select,
        .pebs = feature_present(FEATURE_PEBS_RECORDS) ? &pebs : NULL,
        .pebs_enable = sampling,
        .control = beside->control | how->own_control,
        .policy = PMI_COUNT,
        .armed = feature_present(FEATURE_APIC) ? PMI_CAUSE_COUNTER : 0,
        .interrupts_wanted = how->interrupts_wanted,
        .ahead = look_ahead,
        .behind = look_behind,
    };

    current = beside;
    current_run = how;
    if (observe(t, how->program, &run, &how->seen))
        return true;
    bystanders_note(t, beside);
    return false;
}
