/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/step/branch_stepper.h"

#include "arch/cpu/traps/debug.h"
#include "arch/cpu/traps/intercept.h"
#include "arch/cpu/traps/user.h"
#include "tests/run/entry_points.h"
#include "tests/run/retry.h"
#include "tests/step/stepper_bracket.h"

/* branch_stepper_entry.S */
struct branch_trap branch_stepper_traps[BRANCH_TRAPS_MAX];
uint64_t branch_stepper_count, branch_stepper_rearm;

uint64_t branch_stepper_address(uint64_t address)
{
    if (address == (uint64_t)bracket_call)
        return (uint64_t)stepper_bracket_call;
    if (address == (uint64_t)bracket_return)
        return (uint64_t)stepper_bracket_return;
    return address;
}

static void run_once(const struct program *program, const struct branch_stepper_run *run,
                     struct branch_stepper_result *result)
{
    struct stepper_bracket bracket = {
        .on = run->debugctl,
        .entry = program->entry,
        .argument = program->argument,
        .flags = run->trap_flag ? RFLAGS_TF : 0,
    };

    branch_stepper_count = 0;
    branch_stepper_rearm = run->rearm;
    debug_status_take();
    entry_points_set(program->workload);
    interrupt_gate_direct(VECTOR_DB, branch_stepper_entry, 0);
    user_keep_trap_flag(true);
    stepper_bracket_run(&bracket);
    user_keep_trap_flag(false);
    interrupt_gate_reset(VECTOR_DB);
    entry_points_reset(program->workload);
    *result = (struct branch_stepper_result){.traps = branch_stepper_traps,
                                             .count = branch_stepper_count,
                                             .debugctl_end = bracket.found};
}

void branch_stepper_run(const struct program *program, const struct branch_stepper_run *run,
                        struct branch_stepper_result *result)
{
    struct retry retry = retry_begin();

    do
        run_once(program, run, result);
    while (!run->once && retry_if_disturbed(&retry));
}

size_t branch_stepper_traps_at(const struct branch_stepper_result *result, uint64_t rip)
{
    size_t found = 0;

    for (size_t i = 0; i < result->count && i < BRANCH_TRAPS_MAX; i++)
        found += result->traps[i].rip == rip;
    return found;
}
