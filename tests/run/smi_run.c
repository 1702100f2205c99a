/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/smi_run.h"

#include "arch/cpu/features.h"
#include "arch/trace/debugctl.h"
#include "tests/run/smi_watch.h"
#include "tests/workloads/smi.h"

#define ROOMY_RECORDS 256 /* more than a program has transfers and a handler hundreds of them */

const char *const smi_program_names[SMI_PROGRAMS] = {"ring0", "ring3"};

static const struct {
    const struct workload *workload;
    const struct transfer *behind;
} programs[SMI_PROGRAMS] = {
    [SMI_IN_RING0] = {&workload_kernel_smi, kernel_smi_behind},
    [SMI_IN_RING3] = {&workload_user_smi, user_smi_behind},
};

static const struct bts_layout roomy = {.records = ROOMY_RECORDS, .threshold = BTS_NO_THRESHOLD};

bool smi_test_begin(struct test_context *t)
{
    const char *why;

    if (!smi_is_possible(t))
        return false;
    why = trace_move_to_physical();
    if (why)
        test_fail(t, "%s", why);
    return !why;
}

void smi_test_end(void)
{
    trace_move_back();
}

const struct program *smi_program(unsigned number)
{
    return program_of_workload(programs[number].workload);
}

/* The bracket's CALL comes first. */
size_t smi_transfers_before(unsigned number)
{
    return 1 + (size_t)(programs[number].behind - programs[number].workload->truth);
}

bool smi_traced_run(struct test_context *t, unsigned number, uint64_t debugctl,
                    struct traced_result *got)
{
    const struct traced_run run = {
        .debugctl = debugctl,
        .layout = roomy,
        .policy = PMI_COUNT,
        .hold_off_interrupts = true,
    };
    bool good;

    smi_begin();
    good = traced_run(t, smi_program(number), &run, got);
    return smi_end(t) && good;
}

bool smi_lbr_run(struct test_context *t, unsigned number, uint64_t debugctl, struct lbr_result *got)
{
    const struct lbr_run run = {.debugctl = debugctl, .hold_off_interrupts = true};

    smi_begin();
    lbr_run(smi_program(number), &run, got);
    return smi_end(t);
}

bool smi_debugctl_run(struct test_context *t, uint64_t debugctl, uint64_t *found)
{
    struct bracket bracket = {
        .on = debugctl, .entry = workload_kernel_smi.entry, .hold_off_interrupts = true};
    const char *refusal = feature_present(FEATURE_BTS) ? bts_prepare(&roomy) : NULL;

    if (refusal) {
        test_fail(t, "the DS save area was not programmed: %s", refusal);
        return false;
    }
    smi_begin();
    bracket_run(&bracket);
    *found = bracket.found;
    return smi_end(t);
}

bool smi_counting_run(struct test_context *t, struct counting *counting, uint64_t debugctl)
{
    counting->once = true;
    debugctl_write_safe(debugctl);
    smi_begin();
    counting_run(counting);
    debugctl_write_safe(0);
    return smi_end(t);
}
