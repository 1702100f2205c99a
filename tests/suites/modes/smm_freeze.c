/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FRZ-14: FREEZE_WHILE_SMM turns LBR, BTF, TR, BTS and the counters off when an SMI comes, and RSM
 * brings them back as they were. Here the registers and the LBR stack; smm_counters.c has what is
 * counted, smm.c the branch trace store.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/bystanders.h"
#include "tests/run/smi_run.h"
#include "tests/run/smi_watch.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/facility_check.h"
#include "tests/spec/lbr_check.h"
#include "tests/suites/modes/smm_told.h"

#define FROZEN_BITS   ((uint64_t)(DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR | DEBUGCTL_BTS))
#define ON_PMI_BITS   ((uint64_t)(DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI))
#define SMM_BIT       ((uint64_t)DEBUGCTL_FREEZE_WHILE_SMM)
#define DEBUGCTL_BITS 16u

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* The switch of architectural last branches comes back by a claim of its own. */
static void blame(struct test_context *t, uint64_t differ)
{
    if (differ & DEBUGCTL_LBR && feature_present(FEATURE_ARCH_LBR))
        test_breaks(t, "ALBR-7");
}

/* An address of half the width may be one of the kernel's, whose upper halves are all ones. */
static bool entry_is_ours(const struct lbr_entry *entry, uint64_t address)
{
    return is_ours(address) ||
           (entry->upper_half_absent && is_ours(address | ~(uint64_t)UINT32_MAX));
}

static bool is_foreign(const struct lbr_entry *entry)
{
    return (entry->from || entry->to) && !entry_is_ours(entry, entry->from) &&
           !entry_is_ours(entry, entry->to);
}

/* Its delivery and RSM have one end in the kernel, a branch of the handler has none. */
static void expect_none_of_the_handler(struct test_context *t, const struct observation *got)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(&got->lbr.after, entries), i = 0;

    while (i < depth && !is_foreign(&entries[i]))
        i++;
    if (i < depth)
        FIND(t, LBR_EXTRA, "entry %zu, %#lx -> %#lx, is of no code of this kernel", i,
             entries[i].from, entries[i].to);
}

/* Where LBR and TR at a time are undefined, so is the stack (F2.8). */
static bool is_stack_defined(uint64_t debugctl)
{
    return feature_present(FEATURE_LBR) && !(debugctl & DEBUGCTL_TR && lbr_is_undefined_with_tr());
}

static void check_kept(struct test_context *t, uint64_t debugctl)
{
    struct observation got;

    if (!smi_run(t, SMI_IN_RING0, debugctl, 0, &got))
        return;
    test_checked(t);
    if (got.debugctl_end != debugctl)
        find_debugctl(t, debugctl, got.debugctl_end);
    blame(t, got.debugctl_end ^ debugctl);
    if (debugctl & SMM_BIT && is_stack_defined(debugctl))
        expect_none_of_the_handler(t, &got);
}

static void check_subset(struct test_context *t, uint64_t bits)
{
    test_begin(t, "FRZ-14", "lbr%u_btf%u_tr%u_bts%u", !!(bits & DEBUGCTL_LBR),
               !!(bits & DEBUGCTL_BTF), !!(bits & DEBUGCTL_TR), !!(bits & DEBUGCTL_BTS));
    check_kept(t, bits | SMM_BIT);
    test_end(t);
}

static void check_other_bits(struct test_context *t, uint64_t others)
{
    for (unsigned bit = 0; bit < DEBUGCTL_BITS; bit++) {
        if (!(others >> bit & 1))
            continue;
        test_begin(t, "FRZ-14", "bit_%u", bit);
        check_kept(t, 1ull << bit | SMM_BIT);
        test_end(t);
    }
}

/* Every subset of the four bits that the manual names, the others alone, and all at once. */
TEST(smm, debugctl_comes_back, CLAIMS("FRZ-14", "ALBR-7"), NEEDS(FREEZE_WHILE_SMM))
{
    uint64_t named = bystanders_debugctl() & FROZEN_BITS, subset = named;
    uint64_t others = bystanders_debugctl() & ~(FROZEN_BITS | SMM_BIT);

    if (!smi_test_begin(t))
        return;
    freeze_learn_beside_tr(t);
    test_plan(t, (1u << count_bits(named)) + count_bits(others) + 1);
    do {
        check_subset(t, subset);
        subset = (subset - 1) & named;
    } while (subset != named);
    check_other_bits(t, others);
    test_begin(t, "FRZ-14", "all_bits");
    check_kept(t, freeze_beside_tr(named | others | SMM_BIT));
    test_end(t);
    smi_test_end();
}

/* HSD52: an SMI clears FREEZE_PERFMON_ON_PMI. Nothing says that it may, with bit 14 or without. */
TEST(smm, freeze_on_pmi_bits_stay, CLAIMS("FRZ-14"), NEEDS(FREEZE))
{
    unsigned settings = feature_present(FEATURE_FREEZE_WHILE_SMM) ? 2 : 1;

    if (!smi_test_begin(t))
        return;
    test_plan(t, 3 * settings);
    for (unsigned smm = 0; smm < settings; smm++) {
        for (uint64_t bits = ON_PMI_BITS; bits; bits = (bits - 1) & ON_PMI_BITS) {
            test_begin(t, "FRZ-14", "lbrs%u_perfmon%u_smm%u",
                       !!(bits & DEBUGCTL_FREEZE_LBRS_ON_PMI),
                       !!(bits & DEBUGCTL_FREEZE_PERFMON_ON_PMI), smm);
            check_kept(t, bits | (smm ? SMM_BIT : 0));
            test_end(t);
        }
    }
    smi_test_end();
}

/*
 * LBR is off in SMM, but on where the SMI comes and where RSM leads. The manual does not say
 * whether the delivery, and RSM, which is a branch (F4.2), have entries. At most one each is
 * allowed.
 */
/* In the straight code between the transfers around the OUT. */
static bool is_interrupted_place(const struct program *program, size_t before,
                                 const struct lbr_entry *entry, uint64_t address)
{
    uint64_t mask = entry->upper_half_absent ? UINT32_MAX : UINT64_MAX;

    return address >= (program->truth[before - 1].to & mask) &&
           address <= (program->truth[before].from & mask);
}

/* entries: those older than what the program recorded behind the SMI, newest first. */
static enum choice_value find_smi_entries(const struct program *program, size_t before,
                                          const struct lbr_entry *entries)
{
    bool rsm = !entry_is_ours(&entries[0], entries[0].from) &&
               is_interrupted_place(program, before, &entries[0], entries[0].to);
    const struct lbr_entry *older = &entries[rsm];
    bool delivery = !entry_is_ours(older, older->to) &&
                    is_interrupted_place(program, before, older, older->from);

    return rsm ? (delivery ? VALUE_BOTH : VALUE_RSM) : delivery ? VALUE_DELIVERY : VALUE_NONE;
}

/* The program's transfers with the entries of the SMI, newest first, in their place. */
static size_t insert(struct transfer *truth, const struct program *program, size_t before,
                     const struct lbr_entry *entries, size_t count)
{
    for (size_t i = 0; i < program->count; i++)
        truth[i < before ? i : i + count] = program->truth[i];
    for (size_t i = 0; i < count; i++)
        truth[before + count - 1 - i] = (struct transfer){
            .from = entries[i].from, .to = entries[i].to, .kind = TRANSFER_INTERRUPT};
    return program->count + count;
}

#define SMI_TRANSFERS_MAX 64 /* of the programs; more than they have */

/* For architectural last branches this is also a claim of its own. */
static void name_claim(struct test_context *t)
{
    if (feature_present(FEATURE_ARCH_LBR))
        test_breaks_too(t, "ALBR-7");
}

static void check_stack(struct test_context *t, unsigned number, uint64_t debugctl, uint64_t select)
{
    static struct transfer truth[SMI_TRANSFERS_MAX + 2];
    size_t before = smi_transfers_before(number), behind, depth, count = 0;
    struct lbr_entry entries[LBR_DEPTH_MAX];
    const struct program *program;
    enum choice_value found;
    struct observation got;

    name_claim(t);
    if (!smi_run(t, number, debugctl, select, &got))
        return;
    program = smi_program(number);
    behind = program->count - before;
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the SMI", got.debugctl_end, debugctl);
    depth = lbr_entries_of(&got.lbr.after, entries);
    if (depth < behind + 2 || program->count > SMI_TRANSFERS_MAX) {
        lbr_compare_newest(t, program->truth + before, behind, &got.lbr);
        return;
    }
    found = find_smi_entries(program, before, &entries[behind]);
    choice_learn(t, CHOICE_SMI_ENTRIES, found);
    count = found == VALUE_BOTH ? 2 : found != VALUE_NONE;
    lbr_compare(t, truth, insert(truth, program, before, &entries[behind], count), 0, &got.lbr);
}

TEST(smm, lbr_stack_is_the_programs_own, CLAIMS("FRZ-14", "ALBR-7"),
     NEEDS(LBR, FREEZE_WHILE_SMM, SYSCALL))
{
    if (!smi_test_begin(t))
        return;
    TEST_NUMBERS(t, number, 0, SMI_PROGRAMS, "FRZ-14", "%s", smi_program_names[number])
        check_stack(t, number, DEBUGCTL_LBR | SMM_BIT, 0);
    smi_test_end();
}

/* Each other bit that does not record by itself. */
TEST(smm, lbr_stack_is_the_programs_own_beside_each_bit, CLAIMS("FRZ-14", "ALBR-7"),
     NEEDS(LBR, FREEZE_WHILE_SMM, SYSCALL))
{
    uint64_t left = bystanders_debugctl() & ~(DEBUGCTL_LBR | DEBUGCTL_TR | SMM_BIT);
    struct observation got;

    if (!smi_test_begin(t))
        return;
    for (; left && !test_has_failed(t); left &= left - 1)
        check_stack(t, SMI_IN_RING0, DEBUGCTL_LBR | SMM_BIT | (left & -left), 0);
    if (feature_present(FEATURE_LBR_SELECT)) /* a filter that leaves out nothing of ring 0 */
        check_stack(t, SMI_IN_RING0, DEBUGCTL_LBR | SMM_BIT, LBR_SELECT_CPL_NEQ_0);
    if (feature_present(FEATURE_LBR_CALL_STACK) &&
        smi_run(t, SMI_IN_RING0, DEBUGCTL_LBR | SMM_BIT, LBR_SELECT_CALL_STACK, &got))
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the SMI, in call-stack mode",
                     got.debugctl_end, DEBUGCTL_LBR | SMM_BIT);
    smi_test_end();
}

/* That the handler shows here is what makes its absence above worth something. */
static void observe_handler(struct test_context *t, const struct lbr_result *got, size_t behind)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(&got->after, entries);
    bool shown = false;

    for (size_t i = behind; i < depth; i++)
        shown |= (entries[i].from && !is_ours(entries[i].from)) ||
                 (entries[i].to && !is_ours(entries[i].to));
    if (!entries[0].upper_half_absent)
        choice_learn(t, CHOICE_SMM_IN_LBR, shown ? VALUE_YES : VALUE_NO);
}

/* FREEZE_WHILE_SMM clear: whatever became of LBR in SMM, what is recorded after it is right. */
static void check_behind(struct test_context *t, unsigned number)
{
    const struct program *program;
    struct observation got;
    size_t before = smi_transfers_before(number);

    if (!smi_run(t, number, DEBUGCTL_LBR, 0, &got))
        return;
    program = smi_program(number);
    if (feature_present(FEATURE_ARCH_LBR))
        EXPECT(t, MSR_VALUE, got.debugctl_end & DEBUGCTL_LBR,
               "LBREn is clear after the SMI: RSM has not brought it back");
    if (got.debugctl_end == DEBUGCTL_LBR)
        lbr_compare_newest(t, program->truth + before, program->count - before, &got.lbr);
    else
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the SMI, LBR aside", got.debugctl_end, 0);
    observe_handler(t, &got.lbr, program->count - before);
}

TEST(smm, lbr_stack_without_the_freeze, CLAIMS("LBR-1", "ALBR-7"), NEEDS(LBR, SYSCALL))
{
    if (!smi_test_begin(t))
        return;
    TEST_NUMBERS(t, number, 0, SMI_PROGRAMS, lbr_claim("LBR-1", "ALBR-7"), "%s",
                 smi_program_names[number])
        check_behind(t, number);
    smi_test_end();
}

/* --- every register of the facilities, whatever is set in them --- */

static struct bystander_run run;

/* D 14: under the freeze RSM may set all enables, even of counters that no leaf enumerates;
 * smm.counter_enables_come_back holds the processor to it. Without the freeze four bits of
 * IA32_DEBUGCTL may stay off (F10.2), and the manual does not say what counts in the handler. */
static struct facility expected_behind(uint64_t debugctl)
{
    struct facility expected = run.before;

    if (debugctl & SMM_BIT) {
        if (!(pmu_all_counters() & ~run.after.control))
            expected.control = run.after.control;
        return expected;
    }
    expected.debugctl = (debugctl & ~FROZEN_BITS) | (debugctl & run.after.debugctl & FROZEN_BITS);
    __builtin_memcpy(expected.general, run.after.general, sizeof expected.general);
    __builtin_memcpy(expected.fixed, run.after.fixed, sizeof expected.fixed);
    return expected;
}

static void check_row(struct test_context *t, unsigned row)
{
    const struct bystanders beside = bystanders_of_row(row, 0);
    struct facility expected;
    bool good;

    run = (struct bystander_run){.program = smi_program(SMI_IN_RING0)};
    smi_begin();
    good = bystanders_run(t, &beside, &run);
    if (!smi_end(t) || !good)
        return;
    expected = expected_behind(beside.debugctl);
    if (!facility_expect(t, &run.after, &expected))
        bystanders_note(t, &beside);
}

TEST(smm, other_settings_stay, CLAIMS("FRZ-14"), NEEDS(PERFMON2, PMI))
{
    if (!smi_test_begin(t))
        return;
    test_under(t, UNDER(SMI));
    BYSTANDERS_EACH(t, row, ROWS_ALL)
        check_row(t, row);
    bystanders_end();
    smi_test_end();
}
