/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/observe.h"

#include "tests/spec/bts_check.h"
#include "tests/spec/counts.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/left_alone.h"
#include "tests/workloads/armed_write.h"

/* The write that the program makes, if it makes one. */
static void look_at_write(const struct program *program, const struct run *run,
                          struct left_alone *all)
{
    if (program) {
        const struct program_write write = program_write(program);

        all->writes = write.before != SIZE_MAX;
        all->write = write.what;
    } else if (run->entry == armed_write) {
        all->writes = true;
        all->write = *(const struct register_write *)run->argument;
    }
}

/* Of a program without truth nothing is known. */
static void look_at_truth(const struct program *program, struct left_alone *all)
{
    all->leaves_ring_0 = all->has_event = !program || !program->count;
    all->may_lose_stack = program && program->workload == &workload_kernel_hlt;
    for (size_t i = 0; program && i < program->count; i++) {
        all->leaves_ring_0 |= program->truth[i].to_ring != 0;
        all->has_event |= !transfer_is(program->truth[i].kind, TRANSFER_IS_NEAR | TRANSFER_IS_FAR);
        all->has_debug_exception |= transfer_is(program->truth[i].kind, TRANSFER_IS_DEBUG);
    }
}

void observe_left_alone(struct test_context *t, const struct run *run,
                        const struct observation *seen)
{
    struct left_alone all = {
        .before = seen->before,
        .after = seen->after,
        .was_interrupted = seen->interrupts,
        .may_have_smi = seen->may_have_smi,
        .is_area_open = run->log && (run->log->reload || run->log->observe),
    };

    all.before.registers.debugctl = freeze_written(run->debugctl);
    all.after.registers.debugctl = seen->debugctl_end;
    if (run->control)
        all.before.registers.control = run->control;
    if (feature_present(FEATURE_PERFMON2))
        all.after.registers.control = seen->control_end;
    look_at_write(seen->program, run, &all);
    look_at_truth(seen->program, &all);
    all.has_event |= seen->had_interrupt;
    if (!seen->refused)
        left_alone_check(t, &all);
}

/* Where an interrupt struck the processor itself has said: that goes into the truth (F4.3). */
static const struct program *with_interrupted_address(const struct program *program)
{
    static struct program known;

    if (!program || !(program->workload->flags & WORKLOAD_INTERRUPTED))
        return program;
    known = *program;
    for (size_t i = 0; i < known.count; i++) {
        if (known.truth[i].from == 0)
            known.truth[i].from = interrupted_at;
        if (known.truth[i].to == 0)
            known.truth[i].to = interrupted_at;
    }
    return &known;
}

static bool judge(struct test_context *t, const struct run *run, const struct observation *seen)
{
    bool held;

    observe_left_alone(t, run, seen);
    held = bts_check(t, run, seen);
    held &= lbr_check(t, run, seen);
    return held;
}

bool observe(struct test_context *t, const struct program *program, const struct run *run,
             struct observation *seen)
{
    struct run judged = *run;
    bool is_counted, is_result;

    lbr_check_prepare(t, program, run);
    if (bts_check_prepare(t, program, run) && !judged.interrupts_wanted)
        judged.interrupts_wanted = 1;
    is_counted = counts_begin(&judged, program);
    *seen = (struct observation){.program = program};
    is_result = run_program(t, program, &judged, seen);
    seen->program = with_interrupted_address(program);
    if (is_counted)
        counts_end(t, seen);
    return is_result && judge(t, &judged, seen);
}

bool observe_run(struct test_context *t, const struct program *program, const struct run *run)
{
    struct observation seen;

    return observe(t, program, run, &seen);
}
