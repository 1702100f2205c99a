/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DS-4: does a system management interrupt leave anything in the branch trace? A program of known
 * branches raises one in its middle. Every record must be the program's own: none of the SMI's
 * delivery, of its handler, of RSM. Nothing is known of the handler, which is the firmware's.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/run/smi_run.h"
#include "tests/run/smi_watch.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/compare.h"
#include "tests/suites/modes/smm_told.h"

SUITE(smm, .asks_for_smis = true, .boot_only = true, .unless = smi_is_forbidden);

#define TR_BTS ((uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS))

static const struct setting {
    const char *name;
    uint64_t debugctl;
} settings[] = {
    {"stored", TR_BTS},
    {"stored_btint", TR_BTS | DEBUGCTL_BTINT},
    {"stored_cpl3", TR_BTS | DEBUGCTL_BTS_OFF_OS},
    {"stored_cpl0", TR_BTS | DEBUGCTL_BTS_OFF_USR},
    {"stored_cpl3_btint", TR_BTS | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTINT},
    {"stored_cpl0_btint", TR_BTS | DEBUGCTL_BTS_OFF_USR | DEBUGCTL_BTINT},
    {"not_stored_off", TR_BTS | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR},
    {"not_stored_tr", DEBUGCTL_TR},
};

#define SETTINGS COUNT_OF(settings)

static bool is_possible(uint64_t debugctl)
{
    return !(debugctl & ~debugctl_enumerated());
}

/* The program of subtest i: programs alternate. */
static const struct setting *setting_of(unsigned i)
{
    return &settings[i / SMI_PROGRAMS];
}

typedef void (*smi_check)(struct test_context *t, unsigned program, uint64_t debugctl);

static void check_each(struct test_context *t, const char *claim, uint64_t more, smi_check check)
{
    if (!smi_test_begin(t))
        return;
    TEST_EACH_WHERE(t, i, 0u, SETTINGS * SMI_PROGRAMS, is_possible(setting_of(i)->debugctl), claim,
                    "%s_%s", setting_of(i)->name, smi_program_names[i % SMI_PROGRAMS])
        check(t, i % SMI_PROGRAMS, setting_of(i)->debugctl | more);
    smi_test_end();
}

/* Blames the processor's way through SMM where a record is of no code of this kernel. */
static bool all_are_ours(const struct observation *got)
{
    for (size_t i = 0; i < got->count; i++)
        if (!is_ours(got->records[i].from) || !is_ours(got->records[i].to))
            return false;
    return true;
}

static bool check_records(struct test_context *t, const struct program *program, uint64_t debugctl,
                          const struct observation *got)
{
    const struct expected *expected = expected_of(t, program, debugctl, NULL);

    EXPECT_COUNT(t, PMI, "interrupts without a threshold to reach", got->interrupts, 0);
    expect_no_stray_write(t, got->count);
    return expected && compare_records(t, expected, got->records, got->count) != UNLIKE;
}

/*
 * The manual says that recording is off in SMM. With FREEZE_WHILE_SMM clear it does not say that
 * RSM turns it on again (F10.2): recording goes on, or TR or BTS stays clear. The first SMI shows
 * which, and the processor is held to it.
 */
static bool hold_to_reading(struct test_context *t, uint64_t debugctl, uint64_t found)
{
    bool goes_on = found == debugctl;
    bool stops = (found | TR_BTS) == (debugctl | TR_BTS) && (found & TR_BTS) != TR_BTS;

    if (choice_of(CHOICE_SMI_RECORDING) == VALUE_UNKNOWN && (goes_on || stops))
        choice_learn(t, CHOICE_SMI_RECORDING, goes_on ? VALUE_GOES_ON : VALUE_STOPS);
    if (choice_of(CHOICE_SMI_RECORDING) == VALUE_GOES_ON ? goes_on : stops)
        return true;
    return find_debugctl(t, debugctl, found);
}

static void check_without_freeze(struct test_context *t, unsigned number, uint64_t debugctl)
{
    static struct program program;
    struct observation got;

    if (!smi_run(t, number, debugctl, 0, &got))
        return;
    hold_to_reading(t, debugctl, got.debugctl_end);
    program = *smi_program(number);
    if (choice_of(CHOICE_SMI_RECORDING) == VALUE_STOPS)
        program.count = smi_transfers_before(number);
    if (!check_records(t, &program, debugctl, &got))
        test_breaks(t, "BTS-1");
}

TEST(smm, records_are_the_programs_own, CLAIMS("DS-4", "BTS-1"), NEEDS(BTS, PMI, SYSCALL))
{
    check_each(t, "DS-4", 0, check_without_freeze);
}

static void check_with_freeze(struct test_context *t, unsigned number, uint64_t debugctl)
{
    struct observation got;

    if (!smi_run(t, number, debugctl, 0, &got))
        return;
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the SMI", got.debugctl_end, debugctl);
    if (!check_records(t, smi_program(number), debugctl, &got) && !all_are_ours(&got))
        test_breaks(t, "DS-4");
}

/* With FREEZE_WHILE_SMM the manual is plain: RSM brings TR and BTS back (F10.1). */
TEST(smm, records_go_on_after_the_freeze, CLAIMS("FRZ-14", "DS-4"),
     NEEDS(BTS, PMI, SYSCALL, FREEZE_WHILE_SMM))
{
    check_each(t, "FRZ-14", DEBUGCTL_FREEZE_WHILE_SMM, check_with_freeze);
}
