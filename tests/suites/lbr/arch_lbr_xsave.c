/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does XSAVES of component 15 hold what the registers hold, and XRSTORS bring it back (F20.36)? */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/simd.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/test.h"
#include "tests/run/entry_points.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/observe.h"

#define STEPS (LBR_DEPTH_MAX / LBR_DEPTH_STEP)

static bool is_depth(unsigned step)
{
    return lbr_leaf_has_depth(lbr_arch(), (step + 1) * LBR_DEPTH_STEP);
}

/* All that the image is about, by RDMSR. */
static struct lbr_image read_registers(void)
{
    struct lbr_image image = {0};
    struct lbr_snapshot snapshot;

    rdmsr_safe(IA32_LBR_CTL, &image.control);
    rdmsr_safe(IA32_LBR_DEPTH, &image.depth);
    rdmsr_safe(IA32_LER_FROM_IP, &image.ler_from);
    rdmsr_safe(IA32_LER_TO_IP, &image.ler_to);
    rdmsr_safe(IA32_LER_INFO, &image.ler_info);
    lbr_capture(&snapshot);
    __builtin_memcpy(image.entries, snapshot.raw, sizeof image.entries);
    return image;
}

/* Branches, and an exception for the last-exception record, which no other follows. */
static void record(struct test_context *t, unsigned depth)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .hold_off_interrupts = true};

    lbr_arch_set_depth(depth);
    lbr_select(LBR_SELECT_JCC);
    observe_run(t, program_of_length(2 * depth), &run);
    observe_run(t, program_of_workload(&workload_compat_ud), &run);
}

static void expect_field(struct test_context *t, const char *name, uint64_t got, uint64_t expected)
{
    EXPECT_EQUAL(t, MSR_VALUE, name, got, expected);
}

/* Compares the defined bits of INFO (F20.21), and entries up to the depth. */
static void expect_alike(struct test_context *t, const struct lbr_image *got,
                         const struct lbr_image *expected)
{
    expect_field(t, "IA32_LBR_CTL", got->control, expected->control);
    expect_field(t, "IA32_LBR_DEPTH", got->depth, expected->depth);
    expect_field(t, "IA32_LER_FROM_IP", got->ler_from, expected->ler_from);
    expect_field(t, "IA32_LER_TO_IP", got->ler_to, expected->ler_to);
    expect_field(t, "IA32_LER_INFO", got->ler_info & lbr_arch_last_exception_info(),
                 expected->ler_info & lbr_arch_last_exception_info());
    for (uint64_t i = 0; i < expected->depth && i < LBR_DEPTH_MAX && !test_has_failed(t); i++) {
        const struct lbr_raw *raw = &got->entries[i], *wanted = &expected->entries[i];

        EXPECT(t, MSR_VALUE,
               raw->from == wanted->from && raw->to == wanted->to &&
                   (raw->info & lbr_arch_info()) == (wanted->info & lbr_arch_info()),
               "entry %lu: %#lx -> %#lx, %#lx, not %#lx -> %#lx, %#lx", i, raw->from, raw->to,
               raw->info, wanted->from, wanted->to, wanted->info);
    }
}

static bool save(struct test_context *t, struct lbr_image *image)
{
    bool used;
    struct exception exception = lbr_xsaves(image, &used);

    return EXPECT(t, MSR_REFUSES, !exception_happened(exception), "XSAVES of component 15: %s",
                  exception_name(exception)) &&
           EXPECT(t, MSR_VALUE, used, "XSAVES says that architectural LBRs are not in use");
}

/* Ends what began with insn_cli() and lbr_xsave_begin(), and puts the registers back. */
static void finish(void)
{
    lbr_xsave_end();
    insn_sti();
    lbr_arch_set_depth(0);
    lbr_select(0);
    debugctl_clear();
}

static void check_saved(struct test_context *t, unsigned depth, bool with_vectors)
{
    struct lbr_image registers, image, after;

    insn_cli();
    record(t, depth);
    registers = read_registers();
    lbr_xsave_begin(with_vectors);
    if (save(t, &image)) {
        expect_alike(t, &image, &registers);
        after = read_registers();
        expect_alike(t, &after, &registers); /* a look changes nothing */
    }
    finish();
}

TEST(arch_lbr, xsaves_holds_what_the_registers_hold, CLAIMS("ALBR-10"),
     NEEDS(ARCH_LBR, LBR_XSAVES, LER))
{
    TEST_EACH_WHERE(t, step, 0u, STEPS, is_depth(step), "ALBR-10", "depth_%u",
                    (step + 1) * LBR_DEPTH_STEP)
        check_saved(t, (step + 1) * LBR_DEPTH_STEP, false);
}

static bool restore(struct test_context *t, const struct lbr_image *image)
{
    struct exception exception = lbr_xrstors(image);

    return EXPECT(t, MSR_REFUSES, !exception_happened(exception), "XRSTORS of component 15: %s",
                  exception_name(exception));
}

/* In between, an image without the component zeroes all but the depth (F20.19). */
static bool check_initial(struct test_context *t, unsigned depth)
{
    const struct lbr_image initial = {.depth = depth};
    struct lbr_image after;

    if (!restore(t, NULL))
        return false;
    after = read_registers();
    test_note(t, "after XRSTORS of an image without component 15");
    expect_alike(t, &after, &initial);
    return !test_has_failed(t);
}

static void check_restored(struct test_context *t, unsigned depth, bool with_vectors)
{
    struct lbr_image registers, image, after;

    insn_cli();
    record(t, depth);
    registers = read_registers();
    lbr_xsave_begin(with_vectors);
    if (save(t, &image) && check_initial(t, depth) && restore(t, &image)) {
        after = read_registers();
        test_note(t, "after XRSTORS of what was saved");
        expect_alike(t, &after, &registers);
    }
    finish();
}

TEST(arch_lbr, xrstors_brings_back_what_was_saved, CLAIMS("ALBR-10"),
     NEEDS(ARCH_LBR, LBR_XSAVES, LER))
{
    TEST_EACH_WHERE(t, step, 0u, STEPS, is_depth(step), "ALBR-10", "depth_%u",
                    (step + 1) * LBR_DEPTH_STEP)
        check_restored(t, (step + 1) * LBR_DEPTH_STEP, false);
}

/* Component 15 then lies behind the others. */
TEST_UNLESS(arch_lbr, xsaves_and_xrstors_beside_vector_states, CLAIMS("ALBR-10"),
            NEEDS(ARCH_LBR, LBR_XSAVES, LER), !avx_exists(), "CPUID.01H:ECX[28].AVX = 0")
{
    check_saved(t, lbr_leaf_largest(lbr_arch()), true);
    check_restored(t, lbr_leaf_largest(lbr_arch()), true);
}

/* F20.19 is a report of what the manual says: observed. */
TEST_UNLESS(arch_lbr, xrstors_of_another_depth, CLAIMS("ALBR-10"), NEEDS(ARCH_LBR, LBR_XSAVES, LER),
            lbr_leaf_largest(lbr_arch()) == lbr_leaf_smallest(lbr_arch()),
            "CPUID.1CH:EAX[7:0] = %#x: one depth", lbr_arch()->depths)
{
    const unsigned most = lbr_leaf_largest(lbr_arch()), least = lbr_leaf_smallest(lbr_arch());
    struct lbr_image image, after;

    insn_cli();
    record(t, most);
    lbr_xsave_begin(false);
    if (save(t, &image)) {
        lbr_arch_set_depth(least);
        if (restore(t, &image)) {
            after = read_registers();
            choice_learn(t, CHOICE_XRSTORS_DEPTH,
                         !after.entries[0].from                           ? VALUE_CLEARED
                         : after.entries[0].from == image.entries[0].from ? VALUE_RESTORED
                                                                          : VALUE_CHANGED);
        }
    }
    finish();
}

/* Whether recording goes on is not said (F20.37): observed. */
TEST(arch_lbr, xsaves_while_recording, CLAIMS("ALBR-10"), NEEDS(ARCH_LBR, LBR_XSAVES))
{
    struct lbr_image image;
    uint64_t control;

    insn_cli();
    lbr_xsave_begin(false);
    debugctl_write_safe(DEBUGCTL_LBR);
    save(t, &image);
    control = lbr_arch_read_control();
    debugctl_clear();
    finish();
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_LBR_CTL in the image, but for LBREn",
                 image.control | LBR_CTL_LBREN, lbr_arch_control(true));
    choice_learn(t, CHOICE_XSAVES_STOPS_LBR, control & LBR_CTL_LBREN ? VALUE_NO : VALUE_YES);
}

/* --- into the area that was loaded --- */

/*
 * By the instruction alone: a write of any of the registers would tell the processor that they have
 * changed. So ring 0, where all else runs, is left out while the workload is recorded. IF = 0 from
 * its end on: an interrupt would change the last-exception record between the two looks.
 */
static bool record_restored(struct test_context *t, struct lbr_image *image)
{
    const struct workload *workload = &workload_user_branches;
    struct bracket bracket = {.entry = workload->entry}; /* IA32_DEBUGCTL stays clear */
    struct exception exception;
    uint64_t control;

    image->control = lbr_arch_control(true);
    entry_points_set(workload);
    exception = lbr_xrstors(image);
    control = lbr_arch_read_control();
    bracket_run(&bracket);
    exception = exception_happened(exception) ? exception : lbr_xsaves_again(image);
    debugctl_clear();
    entry_points_reset(workload);
    return EXPECT(t, MSR_REFUSES, !exception_happened(exception),
                  "XRSTORS and XSAVES of component 15: %s", exception_name(exception)) &&
           EXPECT_EQUAL(t, MSR_VALUE, "IA32_LBR_CTL after XRSTORS", control,
                        lbr_arch_control(true));
}

static void check_saved_again(struct test_context *t)
{
    struct lbr_image image, registers;

    if (!save(t, &image) || !record_restored(t, &image))
        return;
    registers = read_registers();
    image.control = registers.control; /* whether XSAVES clears LBREn: F20.37 */
    EXPECT(t, LBR_MISSING, registers.entries[0].from,
           "XRSTORS has set LBREn, and nothing was recorded after it");
    expect_alike(t, &image, &registers);
}

/* XSAVES leaves out what has not changed since XRSTORS: what was recorded has. */
TEST(arch_lbr, xsaves_after_xrstors_holds_newer_branches, CLAIMS("ALBR-10"),
     NEEDS(ARCH_LBR, LBR_XSAVES, LER, SYSCALL))
{
    lbr_arch_set_depth(0);
    lbr_select(LBR_SELECT_CPL_EQ_0);
    insn_cli();
    lbr_xsave_begin(false);
    check_saved_again(t);
    finish();
}
