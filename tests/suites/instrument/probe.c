/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do CPUID, IA32_MISC_ENABLE and the registers themselves say the same?
 *
 * An enumerated feature must exist. Any other must not work; whether the attempt faults or is
 * dropped is open (F2.3, F2.4), and reported.
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/cpu/identity/models.h"
#include "arch/trace/trace_state.h"
#include "kernel/report/selection.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/reserved_bits.h"
#include "kernel/report/test.h"

SUITE(probe, .order = -5);

/* TR stays off in this suite: nothing is recorded while no DS save area is in place. */

enum outcome { OUTCOME_STICKS, OUTCOME_DROPPED, OUTCOME_FAULTS };

static const char *const outcome_names[] = {"sticks", "is dropped", "raises #GP"};
static const enum choice_value outcome_values[] = {VALUE_STICKS, VALUE_IGNORED, VALUE_FAULT};

/* What a write to IA32_DEBUGCTL, which was 0, did. */
struct trial {
    enum outcome outcome;
    struct exception exception;
    uint64_t found;   /* right after it */
    bool zero_faults; /* 0 could not be put back */
};

static struct trial try_debugctl(uint64_t value)
{
    struct trial trial = {.exception = debugctl_write_safe(value), .found = debugctl_read()};

    trial.zero_faults = exception_happened(debugctl_write_safe(0));
    if (exception_happened(trial.exception))
        trial.outcome = OUTCOME_FAULTS;
    else
        trial.outcome = trial.found == value ? OUTCOME_STICKS : OUTCOME_DROPPED;
    return trial;
}

static bool is_refused_well(const struct trial *trial)
{
    return trial->outcome != OUTCOME_FAULTS ||
           (trial->exception.vector == VECTOR_GP && trial->exception.error_code == 0);
}

static bool is_unchanged(const struct trial *trial)
{
    return trial->outcome != OUTCOME_FAULTS || trial->found == 0;
}

static enum outcome expect_outcome(struct test_context *t, uint64_t value)
{
    struct trial trial = try_debugctl(value);

    EXPECT(t, MSR_REFUSES, !trial.zero_faults, "writing 0 to IA32_DEBUGCTL faults");
    EXPECT(t, MSR_ACCEPTS, is_refused_well(&trial),
           "WRMSR IA32_DEBUGCTL raised %s with error code %#x, expected #GP with 0",
           exception_name(trial.exception), trial.exception.error_code);
    EXPECT(t, MSR_VALUE, is_unchanged(&trial),
           "IA32_DEBUGCTL after a write that faulted: %#lx, expected 0", trial.found);
    return trial.outcome;
}

static void expect_settable(struct test_context *t, uint64_t bits)
{
    enum outcome outcome = expect_outcome(t, bits);
    char names[128];

    EXPECT(t, MSR_REFUSES, outcome == OUTCOME_STICKS, "setting %s %s, although it is enumerated",
           debugctl_format(bits, names, sizeof names), outcome_names[outcome]);
}

static void expect_not_settable(struct test_context *t, uint64_t bits)
{
    enum outcome outcome = expect_outcome(t, bits);
    char text[128], *names = debugctl_format(bits, text, sizeof text);

    EXPECT(t, MSR_ACCEPTS, outcome != OUTCOME_STICKS,
           "%s can be set, although it is not enumerated", names);
    if (bits & (bits - 1)) /* of several it would not be known which was refused */
        return;
    choice_learn(t, CHOICE_DEBUGCTL_ABSENT, outcome_values[outcome],
                 (unsigned)__builtin_ctzll(bits));
    expect_absent_from_debugctl(t, bits);
}

/* The bits cannot be called by their names there. */
static bool skipped_with_other_bits(struct test_context *t)
{
    const char *why = debugctl_other_layout();

    if (why)
        test_skip(t, "%s", why);
    return why;
}

/* Nothing can be set in a register that is not there; where it must be, other tests fail. */
static bool skipped_without_debugctl(struct test_context *t)
{
    bool exists = debugctl_exists();

    if (!exists)
        test_skip(t, "IA32_DEBUGCTL cannot be read, there is no such register");
    return !exists;
}

static bool bts_is_enumerated(void)
{
    return debugctl_enumerated() & DEBUGCTL_BTS;
}

TEST(probe, ds_area_exists, CLAIMS("DS-1"), NEEDS(DS))
{
    /* Nothing asks for an area at the start of a page (F3.31). */
    const uint64_t area = (uint64_t)&trace_state()->memory->area;
    const uint64_t values[] = {
        0, area, area + 0x808, 0x00007ffffffff000, 0x00007ffffffffb58, 0xffff800000000000};

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        uint64_t found = ~values[i];

        EXPECT(t, MSR_REFUSES, !exception_happened(wrmsr_safe(IA32_DS_AREA, values[i])),
               "writing %#llx to IA32_DS_AREA faults", (unsigned long long)values[i]);
        EXPECT(t, MSR_REFUSES, !exception_happened(rdmsr_safe(IA32_DS_AREA, &found)),
               "reading IA32_DS_AREA faults");
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_DS_AREA as read back", found, values[i]);
    }
    wrmsr_safe(IA32_DS_AREA, 0);
}

TEST(probe, ds_area_refuses_non_canonical_address, CLAIMS("DS-1"), NEEDS(DS))
{
    const uint64_t values[] = {0x0100000000000000, 0x8000000000000000, 0xfeff800000000000};

    wrmsr_safe(IA32_DS_AREA, 0);
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        struct exception exception = wrmsr_safe(IA32_DS_AREA, values[i]);
        uint64_t found = ~0ull;

        EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
               "writing %#llx to IA32_DS_AREA: %s, expected #GP", (unsigned long long)values[i],
               exception_name(exception));
        rdmsr_safe(IA32_DS_AREA, &found);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_DS_AREA after a refused write", found, 0);
        wrmsr_safe(IA32_DS_AREA, 0);
    }
}

/* DS = 0: no promise about the register, but neither may the facility work behind CPUID's back. */
TEST_UNLESS(probe, no_bts_without_ds, CLAIMS("DS-1", "DS-2"), NEEDS(MSR),
            feature_present(FEATURE_DS), "CPUID.01H:EDX[21].DS = 1")
{
    uint64_t value = 0;
    struct exception exception;

    if (skipped_as_not_lent(t, FEATURE_DS))
        return;
    exception = rdmsr_safe(IA32_DS_AREA, &value);
    choice_learn(t, CHOICE_DS_AREA_ABSENT, exception_happened(exception) ? VALUE_NO : VALUE_YES);
    if (skipped_with_other_bits(t) || skipped_without_debugctl(t))
        return;
    expect_not_settable(t, DEBUGCTL_BTS);
    expect_not_settable(t, DEBUGCTL_BTINT);
}

TEST(probe, bts_and_btint_can_be_set_when_available, CLAIMS("DS-2"), NEEDS(DS))
{
    if (skipped_with_other_bits(t))
        return;
    if (!bts_is_enumerated()) {
        test_skip_without(t, FEATURE_BTS);
        return;
    }
    expect_settable(t, DEBUGCTL_BTS);
    expect_settable(t, DEBUGCTL_BTINT);
    expect_settable(t, DEBUGCTL_BTS | DEBUGCTL_BTINT);
}

TEST_UNLESS(probe, bts_and_btint_cannot_be_set_when_unavailable, CLAIMS("DS-2"), NEEDS(DS),
            bts_is_enumerated(), "IA32_MISC_ENABLE[11].BTS_UNAVAILABLE = 0")
{
    if (skipped_with_other_bits(t) || skipped_as_not_lent(t, FEATURE_BTS) ||
        skipped_without_debugctl(t))
        return;
    expect_not_settable(t, DEBUGCTL_BTS);
    expect_not_settable(t, DEBUGCTL_BTINT);
    expect_not_settable(t, DEBUGCTL_TR | DEBUGCTL_BTS);
}

TEST(probe, off_bits_can_be_set_with_ds_cpl, CLAIMS("CPL-1"), NEEDS(BTS, DS_CPL))
{
    expect_settable(t, DEBUGCTL_BTS_OFF_OS);
    expect_settable(t, DEBUGCTL_BTS_OFF_USR);
    expect_settable(t, DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR);
}

TEST_UNLESS(probe, off_bits_cannot_be_set_without_ds_cpl, CLAIMS("CPL-1"), NEEDS(MSR),
            feature_present(FEATURE_DS_CPL), "CPUID.01H:ECX[4].DS-CPL = 1")
{
    if (skipped_with_other_bits(t) || skipped_without_debugctl(t))
        return;
    expect_not_settable(t, DEBUGCTL_BTS_OFF_OS);
    expect_not_settable(t, DEBUGCTL_BTS_OFF_USR);
}

/* Sets of bits, each tried alone. */
struct trials {
    uint64_t by_outcome[3];
    uint64_t zero_faults, refused_badly, changed;
    uint64_t alone; /* what was set beside them was lost, without an exception */
};

/* Beside TR, where the processor has that. */
static bool loses_others(uint64_t value)
{
    uint64_t others = debugctl_enumerated() & DEBUGCTL_TR;
    struct trial trial = try_debugctl(value | others);

    return trial.outcome == OUTCOME_DROPPED && (trial.found & others) != others;
}

/* Does a refusal leave out all that is legal beside it? Nothing is recorded meanwhile. */
static bool is_refused_whole(uint64_t value)
{
    uint64_t legal = debugctl_itself(debugctl_enumerated() & ~(uint64_t)DEBUGCTL_BTS);
    struct trial trial = try_debugctl(value | legal);

    return is_unchanged(&trial);
}

static void add_trial(struct trials *trials, uint64_t value)
{
    struct trial trial = try_debugctl(value);

    trials->by_outcome[trial.outcome] |= value;
    trials->zero_faults |= trial.zero_faults ? value : 0;
    trials->refused_badly |= is_refused_well(&trial) ? 0 : value;
    trials->changed |= is_unchanged(&trial) && is_refused_whole(value) ? 0 : value;
    trials->alone |= loses_others(value) ? value : 0;
}

static void expect_none(struct test_context *t, uint64_t set, const char *what)
{
    EXPECT(t, MSR_ACCEPTS, !set, "IA32_DEBUGCTL bits %#lx: %s", set, what);
}

static void learn_outcome(struct test_context *t, unsigned outcome, uint64_t bits)
{
    uint64_t rtm = core_has(HAS_RTM) ? DEBUGCTL_RTM : 0;

    if (bits & rtm)
        choice_learn(t, CHOICE_DEBUGCTL_RTM, outcome_values[outcome]);
    if (bits & ~rtm)
        choice_learn(t, CHOICE_DEBUGCTL_RESERVED, outcome_values[outcome]);
}

/* Each bit without a promise alone: a refusal must be #GP(0) and change nothing. */
TEST(probe, reserved_bits_of_debugctl, CLAIMS("DS-2", "CPL-1"), NEEDS(DS))
{
    struct trials trials = {0};

    if (skipped_with_other_bits(t) || skipped_without_debugctl(t))
        return;
    for (unsigned bit = 0; bit < 64; bit++)
        if (!((debugctl_enumerated() | debugctl_not_lent()) >> bit & 1))
            add_trial(&trials, 1ull << bit);
    for (unsigned outcome = 0; outcome < 3; outcome++) {
        if (!trials.by_outcome[outcome])
            continue;
        learn_outcome(t, outcome, trials.by_outcome[outcome]);
        test_observe(t, "IA32_DEBUGCTL bits %#lx: setting them %s", trials.by_outcome[outcome],
                     outcome_names[outcome]);
    }
    expect_none(t, trials.by_outcome[OUTCOME_STICKS] & DEBUGCTL_TABLE_17_6,
                "they can be set, although they are not enumerated");
    expect_none(t, trials.refused_badly, "setting them raises another exception than #GP(0)");
    expect_none(t, trials.changed, "setting them faults, and changes the register all the same");
    expect_none(t, trials.alone, "setting them with TR neither faults nor sets TR");
    expect_none(t, trials.zero_faults, "after setting them, writing 0 faults");
}

TEST(probe, enumerated_bits_of_debugctl_are_independent, CLAIMS("DS-2", "CPL-1"), NEEDS(BTS))
{
    uint64_t bits = debugctl_enumerated() & DEBUGCTL_TABLE_17_6 & ~(uint64_t)DEBUGCTL_TR;

    for (uint64_t subset = bits; subset; subset = (subset - 1) & bits)
        expect_settable(t, subset);
}

/* Bits 11 and 12 are read-only (F1.21): an attempt faults or is ignored, and changes nothing. */
TEST(probe, availability_bits_are_read_only, CLAIMS("DS-2", "DS-3"), NEEDS(DS))
{
    const uint64_t bits[] = {MISC_ENABLE_BTS_UNAVAILABLE, MISC_ENABLE_PEBS_UNAVAILABLE};
    uint64_t before = 0, after = 0;

    if (exception_happened(rdmsr_safe(IA32_MISC_ENABLE, &before))) {
        FIND(t, MSR_REFUSES, "IA32_MISC_ENABLE cannot be read, although DS is enumerated");
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        struct exception exception = wrmsr_safe(IA32_MISC_ENABLE, before ^ bits[i]);

        rdmsr_safe(IA32_MISC_ENABLE, &after);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_MISC_ENABLE after an attempt at a read-only bit", after,
                     before);
        choice_learn(t, CHOICE_MISC_ENABLE_READ_ONLY,
                     exception_happened(exception) ? VALUE_FAULT : VALUE_IGNORED);
        if (after != before)
            wrmsr_safe(IA32_MISC_ENABLE, before);
    }
}

/* Written back as it was, and with fast strings (bit 0) the other way, where that is taken: the
 * rest stays as it is (F1.20, F1.21). */
TEST(probe, availability_bits_stay_when_others_change, CLAIMS("DS-2", "DS-3"), NEEDS(DS))
{
    uint64_t before = 0, after = 0;

    if (exception_happened(rdmsr_safe(IA32_MISC_ENABLE, &before)) ||
        exception_happened(wrmsr_safe(IA32_MISC_ENABLE, before))) {
        FIND(t, MSR_REFUSES, "IA32_MISC_ENABLE refuses to be read, or to be written back");
        return;
    }
    rdmsr_safe(IA32_MISC_ENABLE, &after);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_MISC_ENABLE, written back as it was", after, before);
    wrmsr_safe(IA32_MISC_ENABLE, before ^ MISC_ENABLE_FAST_STRINGS);
    rdmsr_safe(IA32_MISC_ENABLE, &after);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_MISC_ENABLE but for fast strings, which were written",
                 after & ~(uint64_t)MISC_ENABLE_FAST_STRINGS,
                 before & ~(uint64_t)MISC_ENABLE_FAST_STRINGS);
    wrmsr_safe(IA32_MISC_ENABLE, before);
    rdmsr_safe(IA32_MISC_ENABLE, &after);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_MISC_ENABLE, put back as it was", after, before);
}
