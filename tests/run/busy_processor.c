/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/busy_processor.h"

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pmu.h"
#include "tests/run/other_processor.h"
#include "tests/workloads/workload.h"

#define SELECT_ALL 0x1ffu /* each bit of MSR_LBR_SELECT suppresses a class (F8.20) */
#define PERIOD     100    /* instructions, or what a fixed counter counts */
#define JUMPS      200

struct busy {
    const char *wrong; /* why it could not be set up, or NULL */
    uint32_t is_ready;
};

static const char *lay_out(void)
{
    const struct bts_layout bts = {.records = 32, .threshold = 8};
    const struct pebs_layout pebs = {.records = 8, .threshold = 1};
    const char *wrong = feature_present(FEATURE_BTS) ? bts_prepare(&bts) : NULL;

    if (!wrong && feature_present(FEATURE_PEBS_RECORDS))
        wrong = pebs_prepare(&pebs);
    return wrong;
}

static void start_counters(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    pmu_reset();
    for (unsigned i = 0; i < count; i++) {
        enum pmu_event event =
            counters[i].fixed ? pmu_fixed_event(counters[i].number) : PMU_INSTRUCTIONS;

        if (event == PMU_EVENT_COUNT || !pmu_event_available(event))
            continue;
        pmu_program(counters[i], event, COUNTER_OS | COUNTER_USR | COUNTER_PMI);
        pmu_write_period(counters[i], PERIOD);
    }
    if (feature_present(FEATURE_PEBS_RECORDS))
        pebs_enable(pebs_counters());
    pmu_set_global_control(pmu_all_counters());
}

/* Each by itself: one that is refused leaves the others. */
static void set_every_bit(void)
{
    static const struct {
        enum feature needed;
        uint64_t bits;
    } rows[] = {
        {FEATURE_LBR, DEBUGCTL_LBR},
        {FEATURE_BTF, DEBUGCTL_BTF},
        {FEATURE_BTS, DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT},
        {FEATURE_DS_CPL, DEBUGCTL_BTS_OFF_USR},
        {FEATURE_PERFMON2, DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI},
    };
    uint64_t on = 0;

    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (feature_present(rows[i].needed) &&
            !exception_happened(debugctl_write_safe(on | rows[i].bits)))
            on |= rows[i].bits;
}

static void set_up(struct busy *busy)
{
    busy->wrong = lay_out();
    if (feature_present(FEATURE_LBR_SELECT))
        lbr_select(SELECT_ALL);
    apic_pmi_program(APIC_DELIVERY_FIXED, VECTOR_PMI);
    apic_pmi_unmask();
    if (!busy->wrong)
        set_every_bit();
    if (feature_present(FEATURE_PERFMON))
        start_counters();
}

/* Interrupts are off: what was asked for waits when INIT comes. */
static void be_busy(void *argument)
{
    struct busy *busy = argument;

    insn_cli();
    set_up(busy);
    for (volatile unsigned i = 0; i < JUMPS; i++)
        ;
    __atomic_store_n(&busy->is_ready, 1, __ATOMIC_RELEASE);
    for (;;)
        insn_pause();
}

bool busy_processor_start(struct test_context *t, unsigned index)
{
    static struct busy busy;

    busy = (struct busy){0};
    if (!other_start(t, index) || !other_begin(t, index, be_busy, &busy))
        return false;
    EXPECT(t, SETUP, other_gets_ready(&busy.is_ready), "processor %u did not get busy in time",
           index);
    EXPECT(t, SETUP, !busy.wrong, "processor %u: %s", index, busy.wrong);
    return other_start(t, index);
}
