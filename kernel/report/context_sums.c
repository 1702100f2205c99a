/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test's checks, its runs and its result add to the sums of the run (kernel/report/sums.h).
 */
#include "kernel/report/context.h"

#include "arch/lib/printf.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"

static struct sums_key key_of(const struct test_context *t, const struct finding *check)
{
    struct sums_key key = {
        .kind = (uint8_t)check->kind,
        .suite = check->is_of_transfer ? 0 : sums_name(t->test->suite),
        .under = check->is_of_transfer ? 0 : t->under,
        .from = RING_HIDDEN,
        .to = RING_HIDDEN,
    };

    if (t->has_run && !t->run.changes) {
        key.has_run = true;
        key.debugctl = (uint16_t)t->run.debugctl;
        key.causes = (uint8_t)t->run.causes;
    }
    if (check->is_of_transfer) {
        key.transfer = sums_name(check->where);
        key.from = check->from_ring;
        key.to = check->to_ring;
    }
    return key;
}

void context_sum_up(const struct test_context *t, const struct finding *check, bool held)
{
    const struct sums_key key = key_of(t, check);

    if (t->is_summed)
        sums_count(&key, !held, held);
}

void test_held(struct test_context *t, const struct finding *check)
{
    context_sum_up(t, check, true);
}

static void sum_pass(struct test_context *t, const char *claim)
{
    (void)t;
    sums_pass(claim);
}

void context_sum_result(struct test_context *t, bool passed)
{
    if (t->is_summed && t->broken_here.count > 0)
        sums_failure(&t->broken_here);
    else if (t->is_summed && passed)
        context_for_each_claim(t, sum_pass);
    t->broken_here.count = 0;
}

void test_run_is(struct test_context *t, const struct run_conditions *run)
{
    t->run = *run;
    t->has_run = true;
    t->run_is_noted = false;
}

void context_note_run(struct test_context *t)
{
    const struct run_conditions *run = &t->run;
    char bits[NOTE_SIZE], buffer[NOTE_SIZE] = "";

    if (!t->has_run || t->run_is_noted)
        return;
    t->run_is_noted = true;
    if (run->records > 0)
        format_append(buffer, sizeof(buffer), " records=%zu", run->records);
    if (run->records >= run->threshold)
        format_append(buffer, sizeof(buffer), " threshold=%zu", run->threshold);
    test_note(t, "run: debugctl=\"%s%s\" program=\"%s\"%s",
              debugctl_format(run->debugctl, bits, sizeof(bits)), run->changes ? " at first" : "",
              run->program != NULL ? run->program : "-", buffer);
}
