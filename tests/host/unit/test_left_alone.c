/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which registers may a run change? Everything else that changes is a finding. */
#include "tests/spec/left_alone.h"

#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "kernel/report/context.h"
#include "kernel/report/errata.h"
#include "check.h"
#include "tests/spec/facility_check.h"
#include "tests/spec/choices/freeze_flavour.h"

#define RECORDING     (DEBUGCTL_TR | DEBUGCTL_BTS)
#define COUNTS_RING_0 (PERFEVTSEL_EN | PERFEVTSEL_OS)
#define COUNTS_RING_3 (PERFEVTSEL_EN | PERFEVTSEL_USR)

/* --- what it stands on --- */

static unsigned differences, stray_writes, stack_changes;
static struct facility demanded;

bool facility_expect(struct test_context *t, const struct facility *got,
                     const struct facility *expected)
{
    (void)t, (void)got;
    differences++;
    demanded = *expected;
    return false;
}

bool test_find_as(struct test_context *t, const struct finding *finding, const char *format, ...)
{
    (void)t, (void)format;
    stray_writes += finding->kind == FINDING_STRAY_WRITE;
    stack_changes += finding->kind == FINDING_LBR_EXTRA || finding->kind == FINDING_LER_FROM ||
                     finding->kind == FINDING_LER_TO;
    differences += finding->kind == FINDING_MSR_VALUE;
    return false;
}

void test_breaks(struct test_context *t, const char *claim)
{
    (void)t, (void)claim;
}

static bool has_erratum;

size_t errata_find(const struct test *test, const struct finding *finding)
{
    (void)test;
    CHECK(finding->kind == FINDING_MSR_VALUE && finding->under == UNDER(HIGH_COUNTER), "another");
    return has_erratum ? 0 : ERRATA_MAX;
}

static bool is_streamlined;

bool freeze_is_streamlined(void)
{
    return is_streamlined;
}

enum choice_value freeze_lbr_flavour(void)
{
    return is_streamlined ? VALUE_STREAMLINED : VALUE_LEGACY;
}

uint64_t freeze_may_clear(uint64_t debugctl)
{
    (void)debugctl;
    return DEBUGCTL_LBR;
}

uint64_t freeze_written(uint64_t debugctl)
{
    return debugctl;
}

enum choice_value choice_value_at(enum choice choice, struct choice_point point)
{
    (void)choice, (void)point;
    return VALUE_UNKNOWN;
}

/* --- a run --- */

/* Two general-purpose counters and one fixed; all is off. */
static struct left_alone begin(void)
{
    *cpu_features() = (struct cpu_features){.present[FEATURE_PERFMON2] = true};
    *trace_features() = (struct trace_features){.perfmon = {.version = 4,
                                                            .counters = 2,
                                                            .counter_bits = 48,
                                                            .fixed_counters = 1,
                                                            .fixed_counter_bits = 48}};
    is_streamlined = true;
    return (struct left_alone){0};
}

static unsigned found(const struct left_alone *run)
{
    static struct test_context t;

    differences = stray_writes = stack_changes = 0;
    left_alone_check(&t, run);
    return differences + stray_writes + stack_changes;
}

/* Both looks saw the same value. */
#define KEEP(run, member, value)                                                                   \
    ((run).before.registers.member = (run).after.registers.member = (value))

static void test_all_is_off(void)
{
    struct left_alone run = begin();

    CHECK(found(&run) == 0, "nothing changed");
    for (size_t byte = 0; byte < sizeof(struct facility); byte++) {
        run = begin();
        ((uint8_t *)&run.after.registers)[byte] = 0x80;
        CHECK(found(&run) == 1 && differences == 1, "byte %zu of the registers changed", byte);
    }
    for (size_t byte = 0; byte < sizeof(struct ds_management_area); byte++) {
        run = begin();
        ((uint8_t *)&run.after.area)[byte] = 1;
        CHECK(found(&run) == 1 && stray_writes == 1, "byte %zu of the area changed", byte);
    }
    run = begin();
    run.after.stack = 1;
    CHECK(found(&run) == 1 && stack_changes == 1, "the stack changed");
    run.may_lose_stack = true;
    CHECK(found(&run) == 0, "as HLT may do");
}

static void test_others(void)
{
    struct left_alone run = begin();

    run.after.last_exception.to = 1;
    CHECK(found(&run) == 1 && stack_changes == 1, "the last-exception record changed");
    run.after.last_exception.from = 1;
    CHECK(found(&run) == 2, "in both of its halves");
    run.has_event = true;
    CHECK(found(&run) == 0, "as it does by an exception");
    run = begin();
    run.after.misc_enable = 1;
    CHECK(found(&run) == 1, "IA32_MISC_ENABLE changed");
    run.writes = true;
    run.write.number = IA32_MISC_ENABLE;
    CHECK(found(&run) == 0, "it was written");
}

static void test_recording(void)
{
    struct left_alone run = begin();

    KEEP(run, debugctl, RECORDING);
    run.after.area.bts_index = 24;
    run.after.registers.status = PERF_GLOBAL_STATUS_OVF_BUF;
    run.after.stack = 1; /* TR may feed it */
    CHECK(found(&run) == 0, "the index moves, the buffer may be full");
    run.after.area.bts_absolute_maximum = 1;
    CHECK(found(&run) == 1 && stray_writes == 1, "no other field does");
    run = begin();
    KEEP(run, debugctl, DEBUGCTL_TR);
    run.after.area.bts_index = 24;
    CHECK(found(&run) == 1 && stray_writes == 1, "TR alone stores nothing");
    run.is_area_open = true;
    CHECK(found(&run) == 0, "but a routine that lays it out anew does");
}

static void test_counting(void)
{
    struct left_alone run = begin();

    KEEP(run, control, 1);
    KEEP(run, event_select[0], COUNTS_RING_3);
    run.after.registers.general[0] = 5;
    CHECK(found(&run) == 1, "ring 3 was never entered");
    run.leaves_ring_0 = true;
    CHECK(found(&run) == 0, "it was");
    run.after.registers.status = 1;
    CHECK(found(&run) == 1, "it is far from its overflow");
    run.before.registers.general[0] = 1ull << 47;
    CHECK(found(&run) == 0, "it is not, and may be loaded with less");
    run.after.registers.status = 2;
    CHECK(found(&run) == 1, "another one may not");
    run.after.registers.status = 0;
    run.before.registers.general[0] = 6;
    CHECK(found(&run) == 1 && demanded.general[0] == 6, "no counter goes back");
    run.before.registers.general[0] = 5;
    run.after.registers.general[1] = 5;
    CHECK(found(&run) == 1 && demanded.general[0] == 5 && !demanded.general[1], "nor count");
    run = begin();
    KEEP(run, control, 1ull << 32);
    KEEP(run, fixed_control, 1);
    run.after.registers.fixed[0] = 5;
    CHECK(found(&run) == 0, "a fixed counter in ring 0");
    run.after.registers.status = 1ull << 32;
    CHECK(found(&run) == 1, "it is far from its overflow");
    run.before.registers.fixed[0] = 1ull << 47;
    CHECK(found(&run) == 0, "it is not, and may be loaded with less");
    run.before.registers.fixed[0] = run.after.registers.status = 0;
    KEEP(run, status, PERF_GLOBAL_STATUS_CTR_FRZ);
    CHECK(found(&run) == 1, "a frozen one stands still");
    run.was_interrupted = true;
    CHECK(found(&run) == 0, "unless the routine has thawed it");
}

/* In version 1 no control enables all of them. */
static void test_version_1(void)
{
    struct left_alone run = begin();

    cpu_features()->present[FEATURE_PERFMON2] = false;
    KEEP(run, event_select[1], COUNTS_RING_0);
    run.after.registers.general[1] = 5;
    CHECK(found(&run) == 0, "its own enable is enough");
}

static void test_unreadable(void)
{
    struct left_alone run = begin();

    trace_features()->perfmon.counters = 8;
    KEEP(run, control, 1u << 4 | 1u << 3);
    run.after.registers.general[4] = 5;
    CHECK(found(&run) == 1, "its select is 0");
    has_erratum = true;
    CHECK(found(&run) == 0, "but reads back wrong");
    run.after.registers.general[5] = 5;
    CHECK(found(&run) == 1, "one that is not enabled");
    run.after.registers.general[5] = 0;
    run.after.registers.general[3] = 5;
    CHECK(found(&run) == 1, "one that reads back right");
    has_erratum = false;
}

static struct left_alone freezing(void)
{
    struct left_alone run = begin();

    KEEP(run, event_select[0], COUNTS_RING_0);
    KEEP(run, control, 1);
    run.before.registers.general[0] = (1ull << 48) - 1;
    KEEP(run, debugctl,
         DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    return run;
}

static void test_freezing(void)
{
    struct left_alone run = freezing();

    run.after.registers.status = PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ | 1;
    CHECK(found(&run) == 0, "both freeze");
    run.after.registers.debugctl &= ~(uint64_t)DEBUGCTL_LBR;
    CHECK(found(&run) == 1, "the streamlined freeze leaves LBR set");
    run = freezing();
    run.after.registers.control = 0;
    CHECK(found(&run) == 1, "and the enables");
    is_streamlined = false;
    run.after.registers.debugctl &= ~(uint64_t)DEBUGCTL_LBR;
    CHECK(found(&run) == 0, "the legacy one clears all three");
    run.after.registers.control = 2;
    CHECK(found(&run) == 1, "and sets none");
}

static void test_writes(void)
{
    struct left_alone run = begin();

    run.writes = true;
    run.write = (struct register_write){IA32_DEBUGCTL, RECORDING};
    run.after.registers.debugctl = RECORDING;
    run.after.area.bts_index = 24;
    CHECK(found(&run) == 0, "it is on behind the write");
    run.after.registers.debugctl = 0;
    CHECK(found(&run) == 1 && demanded.debugctl == RECORDING, "the write had no effect");
    run = begin();
    KEEP(run, debugctl, DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR);
    run.has_debug_exception = true;
    CHECK(found(&run) == 1 && demanded.debugctl == DEBUGCTL_TR, "a debug exception clears two");
}

static void test_smi(void)
{
    struct left_alone run = begin();

    KEEP(run, debugctl, DEBUGCTL_FREEZE_WHILE_SMM);
    run.after.registers.control = 0x100000003;
    CHECK(found(&run) == 1, "no SMI came");
    run.may_have_smi = true;
    CHECK(found(&run) == 0, "RSM may set all enables");
    run.after.registers.control = 1;
    CHECK(found(&run) == 1, "but not some");
    run = begin();
    KEEP(run, debugctl, RECORDING);
    run.after.registers.debugctl = DEBUGCTL_BTS;
    CHECK(found(&run) == 1, "recording stopped");
    run.may_have_smi = true;
    CHECK(found(&run) == 0, "as it may by an SMI");
    run.after.registers.debugctl = RECORDING | DEBUGCTL_BTINT;
    CHECK(found(&run) == 1, "which sets nothing");
}

int main(void)
{
    test_all_is_off();
    test_others();
    test_recording();
    test_counting();
    test_version_1();
    test_unreadable();
    test_freezing();
    test_writes();
    test_smi();
    return check_result();
}
