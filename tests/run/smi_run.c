/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/smi_run.h"

#include "arch/cpu/identity/features.h"
#include "arch/trace/debugctl.h"
#include "tests/run/smi_watch.h"
#include "tests/spec/observe.h"
#include "tests/workloads/kinds/smi.h"

#define ROOMY_RECORDS 256 /* more than a program has transfers and a handler hundreds of them */

const char *const smi_program_names[SMI_PROGRAMS] = {"ring0", "ring3"};

static const struct {
    const struct workload *workload;
    const struct transfer *behind;
} programs[SMI_PROGRAMS] = {
    [SMI_IN_RING0] = {&workload_kernel_smi, kernel_smi_behind},
    [SMI_IN_RING3] = {&workload_user_smi, user_smi_behind},
};

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

bool smi_run(struct test_context *t, unsigned number, uint64_t debugctl, uint64_t select,
             struct observation *got)
{
    const struct run run = {
        .debugctl = debugctl,
        .select = select,
        .layout = {.records = feature_present(FEATURE_BTS) ? ROOMY_RECORDS : 0,
                   .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .lbr = feature_present(FEATURE_LBR),
        .hold_off_interrupts = true,
    };
    bool good;

    test_under(t, UNDER(SMI));
    smi_begin();
    good = run_program(t, smi_program(number), &run, got);
    if (good)
        observe_left_alone(t, &run, got);
    return smi_end(t) && good;
}

bool smi_counting_run(struct test_context *t, struct counting *counting, uint64_t debugctl)
{
    test_under(t, UNDER(SMI));
    counting->once = true;
    debugctl_write_safe(debugctl);
    smi_begin();
    counting_run(t, counting);
    debugctl_write_safe(0);
    return smi_end(t);
}
