/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the LBR group of architectural PEBS begin with what the registers hold: IA32_LBR_CTL,
 * IA32_LBR_DEPTH and the last-exception record (F22.35)?
 */
#include "arch/cpu/ground/insn.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/pebs_arch.h"
#include "kernel/report/test.h"
#include "tests/spec/observe.h"
#include "tests/spec/samples/sample_check.h"

/* What a record says of the registers, and what they are. */
struct header {
    uint64_t control, depth;
    struct ler last_exception;
};

static struct header header_of(const struct pebs_arch_record *record)
{
    struct lbr_entry entry = lbr_decode_here(&record->last_exception);

    return (struct header){
        .control = record->lbr_control,
        .depth = record->lbr_depth,
        .last_exception = {.from = entry.from,
                           .to = entry.to,
                           .info = record->last_exception.info & lbr_arch_last_exception_info()}};
}

static void check_header(struct test_context *t, const struct header *got,
                         const struct header *expected)
{
    EXPECT_EQUAL(t, PEBS_FORMAT, "IA32_LBR_CTL in the record", got->control, expected->control);
    EXPECT_EQUAL(t, PEBS_FORMAT, "IA32_LBR_DEPTH in the record", got->depth, expected->depth);
    EXPECT_EQUAL(t, PEBS_FORMAT, "IA32_LER_FROM_IP in the record", got->last_exception.from,
                 expected->last_exception.from);
    EXPECT_EQUAL(t, PEBS_FORMAT, "IA32_LER_TO_IP in the record", got->last_exception.to,
                 expected->last_exception.to);
    EXPECT_EQUAL(t, PEBS_FORMAT, "IA32_LER_INFO in the record", got->last_exception.info,
                 expected->last_exception.info);
}

/* An exception with LBRs on, so that there is a last one. */
static void leave_an_exception(struct test_context *t)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .hold_off_interrupts = true};

    observe_run(t, program_of_workload(&workload_compat_ud), &run);
}

/* IF = 0 from the run to the reading: no interrupt makes another last-exception record, and nothing
 * in the run does. */
static bool run_and_read(struct test_context *t, struct sampling *sampling, struct header *held)
{
    bool ran;

    insn_cli();
    ran = sampling_run(t, sampling) && ler_read(&held->last_exception);
    insn_sti();
    held->control = lbr_arch_control(true);
    held->depth = lbr_depth();
    return ran;
}

static void check_registers(struct test_context *t, uint64_t left_out)
{
    struct sampling sampling = sample_default(sample_best_event(t));
    struct header held = {0};

    sampling.arch_groups = PEBS_ARCH_LBRS(1);
    sampling.debugctl = DEBUGCTL_LBR;
    sampling.arch.size_code = PEBS_ARCH_SIZE_CODES - 1;
    leave_an_exception(t);
    lbr_select(left_out);
    if (run_and_read(t, &sampling, &held) &&
        EXPECT(t, PEBS_MISSING, sampling.index > 0, "no record"))
        for (size_t slot = 0; slot < sampling.index && !test_has_failed(t); slot++) {
            struct pebs_arch_record record;
            struct header got;

            pebs_arch_decode(slot, &record);
            got = header_of(&record);
            check_header(t, &got, &held);
        }
    lbr_select(0);
}

/* With everything let in, and without each kind that can be left out; at each depth. */
static void check_filters(struct test_context *t)
{
    check_registers(t, 0);
    if (!feature_present(FEATURE_LBR_SELECT))
        return;
    for (uint64_t kind = LBR_SELECT_CPL_EQ_0; kind <= LBR_SELECT_FAR_BRANCH; kind <<= 1)
        if (!test_has_failed(t))
            check_registers(t, kind);
}

TEST(arch_pebs, lbr_group_begins_with_the_registers, CLAIMS("APEBS-3"),
     NEEDS(PEBS_ARCH, PMI, ARCH_LBR, LER))
{
    if (pebs_arch_config_bits() & PEBS_ARCH_LBRS(1) && sample_is_possible(t, sample_best_event(t)))
        for (unsigned depth = LBR_DEPTH_STEP; depth <= LBR_DEPTH_MAX; depth += LBR_DEPTH_STEP) {
            if (!lbr_leaf_has_depth(lbr_arch(), depth) || test_has_failed(t))
                continue;
            lbr_arch_set_depth(depth);
            check_filters(t);
        }
    else if (!(pebs_arch_config_bits() & PEBS_ARCH_LBRS(1)))
        test_skip(t, "CPUID.23H.4:EBX says that no LBR entries may be asked for");
    lbr_arch_set_depth(0);
}
