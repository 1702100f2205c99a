/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does INIT clear the recording mechanism (DS-6, F10.30)? Another processor is left recording when
 * INIT meets it. What it executes first after start-up reads the registers and then branches;
 * nothing may be stored any more. The save area has the same addresses with and without paging, so
 * that a processor that goes on would find it.
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/identity_area.h"
#include "tests/run/other_processor.h"
#include "tests/run/run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_when.h"
#include "tests/workloads/armed_write.h"
#include "tests/workloads/modes/real_mode.h"

#define RECORDS     64
#define SAMPLES     8
#define PEBS_PERIOD 500 /* events: more than there are before INIT, fewer than after it */

static struct before_init before;
static uint64_t save_area; /* for IA32_DS_AREA */
static enum pmu_event event;

/* ---- on the other processor ---- */

static void record_and_halt(void *unused)
{
    (void)unused;
    wrmsr(IA32_DS_AREA, save_area);
    before_init_halt(&before);
}

static void record_for_ever(void *unused)
{
    (void)unused;
    wrmsr(IA32_DS_AREA, save_area);
    before_init_run(&before);
}

static uint64_t at_overflow; /* counters that are left out: they wait for no event */

/* The general-purpose counters that sample, with their bits in the order of the reset slots. */
static uint64_t sampling_counters(void)
{
    return pebs_counters() & (PEBS_GENERAL(PEBS_GENERAL_RESETS) - 1) & ~at_overflow;
}

/* All but the global enable. */
static void prepare_sampling(uint64_t period, unsigned flags)
{
    insn_cli();
    wrmsr(IA32_DS_AREA, save_area);
    pmu_reset();
    for (uint64_t left = sampling_counters(); left; left &= left - 1) {
        const struct counter counter = {.number = (unsigned)__builtin_ctzll(left)};

        pmu_write_period(counter, period);
        pmu_program(counter, event, flags);
    }
    pebs_make_adaptive(sampling_counters());
    pebs_enable(pebs_counters() & ~at_overflow); /* the others have nothing to count */
}

static void halt_ready(void)
{
    __atomic_store_n(&before.ready, 1, __ATOMIC_RELEASE);
    for (;;)
        insn_hlt();
}

/* Whose records are on too; each has the bits of its number in both registers. */
static void start_fixed(void)
{
    for (unsigned i = 0; i < pmu_fixed_count(); i++) {
        const struct counter counter = {.fixed = true, .number = i};

        if (!(pebs_counters() & PEBS_FIXED(i)))
            continue;
        pmu_write_period(counter, PEBS_PERIOD);
        pmu_program(counter, pmu_fixed_event(i), COUNTER_OS | COUNTER_USR);
    }
}

static void sample_and_halt(void *unused)
{
    (void)unused;
    prepare_sampling(PEBS_PERIOD, COUNTER_OS | COUNTER_USR);
    start_fixed();
    pmu_set_global_control(pebs_counters());
    halt_ready();
}

/* The branches of this bracket, of which the last one makes all counters overflow; or as many
 * again, of which the first one would store what is armed. */
static void count_branches(void)
{
    static const struct register_write nothing = {IA32_DEBUGCTL, 0};
    struct bracket bracket = {.msr = IA32_PERF_GLOBAL_CTRL,
                              .on = sampling_counters(),
                              .entry = armed_write,
                              .argument = (uint64_t)&nothing,
                              .hold_off_interrupts = true};

    bracket_run(&bracket);
}

static void arm_and_halt(void *unused)
{
    (void)unused;
    prepare_sampling(ARMED_WRITE_BRANCHES, COUNTER_OS);
    count_branches();
    halt_ready();
}

/* INIT leaves the counters and what they count (F6.50): they are past their overflow. */
static void sample_again(void *unused)
{
    (void)unused;
    wrmsr(IA32_DS_AREA, save_area);
    pmu_status_clear(pmu_status());
    pebs_enable(sampling_counters());
    count_branches();
    pebs_disable();
}

/* ---- on processor 0 ---- */

static bool leave_recording(struct test_context *t, processor_function how, uint64_t debugctl)
{
    before = (struct before_init){.on = debugctl};
    return other_start(t, 1) && other_begin(t, 1, how, NULL) &&
           EXPECT(t, SETUP, other_gets_ready(&before.ready),
                  "processor 1: it did not get recording on in time");
}

/* An exception in real-address mode would go nowhere: what is read there can be read here. */
static bool can_read(struct test_context *t, uint32_t number, const char *name)
{
    uint64_t ignored;

    return EXPECT(t, MSR_REFUSES, !exception_happened(rdmsr_safe(number, &ignored)),
                  "%s cannot be read", name);
}

/* INIT and start-up; what the processor found then, or NULL. */
static const struct real_mode_data *init(struct test_context *t, bool read_pebs)
{
    const struct real_mode_code code = {after_init, (size_t)(after_init_end - after_init)};
    struct real_mode_data *data =
        (struct real_mode_data *)((uint8_t *)processor_low_memory() + LOW_DATA);

    if (!can_read(t, IA32_DEBUGCTL, "IA32_DEBUGCTL") ||
        !can_read(t, IA32_DS_AREA, "IA32_DS_AREA") ||
        (read_pebs && !can_read(t, IA32_PEBS_ENABLE, "IA32_PEBS_ENABLE")))
        return NULL;
    *data = (struct real_mode_data){.ds_area = save_area, .read_pebs = read_pebs};
    if (!other_start_in_real_mode(t, 1, &code))
        return NULL;
    EXPECT_EQUAL(t, SETUP, "the code after INIT came to its end", data->done, 1);
    return data;
}

static enum choice_value after_init_of(uint64_t found, uint64_t before_it)
{
    return found == before_it ? VALUE_KEPT : found ? VALUE_CHANGED : VALUE_CLEARED;
}

/* The manual's table of what INIT changes has a row for neither register (F10.30, F10.32). */
static void learn(struct test_context *t, const struct real_mode_data *found)
{
    choice_learn(t, CHOICE_INIT_DS_AREA, after_init_of(found->area_found, save_area));
    for (uint64_t left = before.on; left; left &= left - 1)
        choice_learn(t, CHOICE_INIT_DEBUGCTL,
                     found->debugctl & left & -left ? VALUE_KEPT : VALUE_CLEARED,
                     (unsigned)__builtin_ctzll(left));
}

/* The recording mechanism is cleared (F2.6, D 7), which bits are is not said: TR and BTS together
 * would store (F2.31). */
static void expect_off(struct test_context *t, const struct real_mode_data *found)
{
    const uint64_t recording = DEBUGCTL_TR | DEBUGCTL_BTS;
    char names[128];

    EXPECT(t, MSR_VALUE, (found->debugctl & recording) != recording, "IA32_DEBUGCTL after INIT: %s",
           debugctl_format(found->debugctl, names, sizeof names));
    learn(t, found);
}

static void finish(struct test_context *t)
{
    other_make_quiet(t, 1);
    other_stop(t, 1);
}

/* It stands still with recording on: every record after those is one too many. */
static void check_halted(struct test_context *t, uint64_t debugctl)
{
    size_t stored = debugctl & DEBUGCTL_BTS_OFF_OS ? 0 : BEFORE_INIT_JUMPS;
    const struct real_mode_data *found;

    if (!leave_recording(t, record_and_halt, debugctl))
        return;
    if (!EXPECT(t, INDEX, bts_index() == stored, "before INIT: %zu records of %zu jumps",
                bts_index(), stored))
        return;
    found = init(t, false);
    if (!found)
        return;
    EXPECT_EQUAL(t, INDEX, "BTS index after INIT, in records", bts_index(), stored);
    expect_no_stray_write(t, stored);
    expect_off(t, found);
    finish(t);
}

/* Is it of the loop that INIT ended, or differs from it as an erratum has it? */
static void check_of_loop(struct test_context *t, const struct bts_record *records, size_t slot)
{
    uint64_t loop = (uint64_t)(uintptr_t)before_init_loop;
    const struct bts_record *record = &records[slot];

    test_compared(t, 1);
    EXPECT(t, RECORD_EXTRA, record->to == loop,
           "record %zu, %pS -> %pS, is none of the loop that INIT ended", slot,
           (void *)record->from, (void *)record->to);
    if (record->to == loop && record->from != loop)
        test_find(t, &(struct finding){.kind = FINDING_RECORD_FROM,
                                       .slot = slot,
                                       .expected = loop,
                                       .got = record->from,
                                       .previous = slot ? record[-1].from : 0,
                                       .first = slot == 0});
}

/* INIT comes among branches: only these may stand in the circular buffer. */
static void check_running(struct test_context *t, uint64_t debugctl)
{
    const struct bts_record *records = bts_records();
    const struct real_mode_data *found;

    if (!leave_recording(t, record_for_ever, debugctl))
        return;
    found = init(t, false);
    if (!found)
        return;
    for (size_t i = 0; i < RECORDS && !test_has_failed(t); i++)
        if (!trace_is_poison(&records[i], sizeof records[i]))
            check_of_loop(t, records, i);
    expect_no_stray_write(t, RECORDS);
    expect_off(t, found);
    finish(t);
}

#define RECORDING ((uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS))
#define OFF_BITS  ((uint64_t)(DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR))

static uint64_t possible_bits(void)
{
    return ~(feature_present(FEATURE_LBR_LEGACY) ? 0 : (uint64_t)DEBUGCTL_LBR);
}

TEST(init, ends_branch_recording, CLAIMS("DS-6"), NEEDS(SECOND_PROCESSOR, BTS, DTES64))
{
    static const struct {
        const char *name;
        void (*check)(struct test_context *t, uint64_t debugctl);
        uint64_t besides;
    } cases[] = {
        {"of_a_processor_that_halts", check_halted, 0},
        {"of_a_processor_that_branches", check_running, 0},
        {"with_btint_and_lbr", check_halted, DEBUGCTL_BTINT | DEBUGCTL_LBR},
        {"with_bts_off_os", check_halted, DEBUGCTL_BTS_OFF_OS},
        {"with_bts_off_usr", check_running, DEBUGCTL_BTS_OFF_USR},
        {"with_both_off", check_halted, DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR},
    };

    TEST_EACH(t, row, cases, "DS-6", "%s", row->name) {
        if (row->besides & OFF_BITS && !feature_present(FEATURE_DS_CPL)) {
            test_skip(t, "CPUID.01H:ECX[4].DS-CPL = 0");
            continue;
        }
        save_area = (uint64_t)(uintptr_t)identity_area_open(t, RECORDS, NULL);
        if (save_area)
            row->check(t, RECORDING | (row->besides & possible_bits()));
        processor_stop(1);
        identity_area_close();
    }
}

static void check_sampling(struct test_context *t)
{
    const struct real_mode_data *found;

    if (!leave_recording(t, sample_and_halt, 0))
        return;
    if (!EXPECT(t, PEBS_EXTRA, !identity_area_pebs_records(), "before INIT: a record came early"))
        return;
    found = init(t, true);
    if (!found)
        return;
    EXPECT(t, PEBS_EXTRA, !identity_area_pebs_records(), "a PEBS record was stored after INIT");
    expect_no_stray_write(t, 0);
    choice_learn(t, CHOICE_INIT_PEBS_ENABLE, after_init_of(found->pebs_found, pebs_counters()));
    expect_off(t, found);
    finish(t);
}

static struct pebs_layout sampling_layout(void)
{
    struct pebs_layout layout = {.records = SAMPLES, .threshold = PEBS_NO_THRESHOLD};

    for (unsigned i = 0; i < PEBS_GENERAL_RESETS; i++)
        layout.reset[i] = -(uint64_t)PEBS_PERIOD & pmu_counter_mask((struct counter){.number = i});
    return layout;
}

/* INIT leaves the counters as they are (F6.50): with PEBS still on, they would go on sampling. */
TEST(init, ends_event_sampling, CLAIMS("DS-6"), NEEDS(SECOND_PROCESSOR, PEBS_RECORDS, DTES64, PMI))
{
    const struct pebs_layout layout = sampling_layout();

    event = sample_best_event(t);
    if (!sample_is_possible(t, event))
        return;
    save_area = (uint64_t)(uintptr_t)identity_area_open(t, RECORDS, &layout);
    if (save_area)
        check_sampling(t);
    processor_stop(1);
    identity_area_close();
}

static void check_armed(struct test_context *t)
{
    if (!leave_recording(t, arm_and_halt, 0))
        return;
    test_under(t, UNDER(PEBS) | UNDER(DISABLED));
    if (!EXPECT_COUNT(t, PEBS, "records of the event that overflows, before INIT",
                      identity_area_pebs_records(), 0))
        return;
    if (!init(t, true) || !other_run(t, 1, sample_again, NULL))
        return;
    EXPECT_COUNT(t, PEBS, "records of an overflow ahead of INIT, when PEBS was on again",
                 identity_area_pebs_records(), 0);
    expect_no_stray_write(t, 0);
    finish(t);
}

/* A counter has overflowed, and INIT comes before the event that would store the record. */
TEST(init, forgets_what_is_armed, CLAIMS("DS-6", "PEBS-1"),
     NEEDS(SECOND_PROCESSOR, PEBS_RECORDS, PERFMON2, DTES64, PMI))
{
    const struct pebs_layout layout = sampling_layout();

    event = sample_branches(t);
    if (!sample_has_branches(t))
        return;
    at_overflow = sample_at_overflow(t, event, sampling_counters(), ARMED_WRITE_BRANCHES, &layout);
    if (!sampling_counters())
        test_skip(t, "no counter waits for an event: its overflow stores the record (F22.19)");
    else if ((save_area = (uint64_t)(uintptr_t)identity_area_open(t, RECORDS, &layout)))
        check_armed(t);
    at_overflow = 0;
    processor_stop(1);
    identity_area_close();
}
