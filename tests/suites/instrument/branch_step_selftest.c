/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The judge of branch-stepping: debug exceptions made up from the truth, spoilt in one way each. */
#include "arch/cpu/traps/debug.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/context.h"
#include "kernel/report/test.h"
#include "tests/step/branch_step_check.h"

enum spoil {
    SPOIL_NOTHING,
    SPOIL_ONE_MISSING,
    SPOIL_ONE_MORE,
    SPOIL_ADDRESS,
    SPOIL_RING,
    SPOIL_STATUS,
    SPOIL_BTF_STAYS,
    SPOIL_LBR_STAYS,
    SPOIL_TR_CLEARED,
    SPOILS,
};

#define SPOILT 2 /* number of the debug exception */

static size_t make_up(const struct program *program, struct branch_trap *traps)
{
    for (size_t i = 0; i < program->count; i++)
        traps[i] = (struct branch_trap){.rip = branch_stepper_address(program->truth[i].to),
                                        .cs = program->truth[i].to_ring,
                                        .status = DR6_INITIAL | DR6_BS,
                                        .debugctl = DEBUGCTL_TR};
    return program->count;
}

static size_t spoil(enum spoil how, struct branch_trap *traps, size_t count)
{
    struct branch_trap *trap = &traps[SPOILT];

    if (how == SPOIL_ONE_MISSING)
        __builtin_memmove(trap, trap + 1, (count - SPOILT - 1) * sizeof *trap);
    if (how == SPOIL_ONE_MORE)
        traps[count] = traps[count - 1];
    trap->rip += how == SPOIL_ADDRESS;
    trap->cs |= how == SPOIL_RING ? 3 : 0;
    trap->status &= how == SPOIL_STATUS ? ~(uint64_t)DR6_BS : ~0ull;
    trap->debugctl |= how == SPOIL_BTF_STAYS ? DEBUGCTL_BTF : 0;
    trap->debugctl |= how == SPOIL_LBR_STAYS ? DEBUGCTL_LBR : 0;
    trap->debugctl &= how == SPOIL_TR_CLEARED ? ~(uint64_t)DEBUGCTL_TR : ~0ull;
    return count + (how == SPOIL_ONE_MORE) - (how == SPOIL_ONE_MISSING);
}

SELFTEST(branch_step, check_finds_every_difference, CLAIMS("BTF-1"), NEEDS())
{
    const uint64_t bits = DEBUGCTL_BTF | DEBUGCTL_TR | DEBUGCTL_LBR;
    const struct branch_stepper_run run = {.debugctl = bits, .rearm = bits, .trap_flag = true};
    const struct program *program = program_of_workload(&workload_near_branches);
    static struct branch_trap traps[PROGRAM_TRANSFERS_MAX + 1];
    static struct test_context scratch;
    static struct program stepped;

    for (unsigned how = SPOIL_NOTHING; how < SPOILS; how++) {
        struct branch_stepper_result result = {.traps = traps};
        bool accepted;

        result.count = spoil(how, traps, make_up(program, traps));
        context_start(&scratch, t->test, 0, 1);
        scratch.no_excuse = true; /* it judges the judge, not the processor */
        accepted = branch_step_check(&scratch, program, &run, &result, &stepped);
        EXPECT(t, SETUP,
               accepted == (how == SPOIL_NOTHING) && accepted == !test_has_failed(&scratch),
               "debug exceptions spoilt in way %u were %s", how, accepted ? "accepted" : "refused");
    }
}
