/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/context.h"
#include "kernel/report/ktap.h"

bool test_keeps_trace(const struct test_context *t)
{
    return trace_is_asked() || test_has_failed(t);
}

static void note(void *t, const char *line)
{
    test_note(t, "%s", line);
}

/* The first one behind the first finding is that of the failure; its diff comes ahead of what was
 * found. */
void test_trace(struct test_context *t, const struct trace_head *head, trace_reader read,
                const void *from)
{
    size_t end;

    if (t->trace.is_final)
        return;
    trace_fill(&t->trace, head, read, from);
    t->trace.is_final = test_has_failed(t);
    if (!t->trace.is_final)
        return;
    end = t->notes.length;
    trace_diff(&t->trace, note, t);
    if (t->findings_start < end)
        notes_move(&t->notes, end, t->findings_start);
}

/* What runs behind the finding is another run, and shows nothing of it. */
void test_trace_run(struct test_context *t, const struct trace_of_run *run)
{
    t->trace.is_final |= test_has_failed(t);
    if (t->trace.is_final)
        return;
    t->trace.is_there = false;
    t->trace_of_run = *run;
}

/* The records alone, where nothing was compared. A comparison of the same run that comes behind the
 * finding says more. */
void context_trace_failed(struct test_context *t)
{
    const struct trace_of_run *run = &t->trace_of_run;

    if (t->trace.is_final || t->trace.is_there || run->read == NULL || run->head.shown == 0 ||
        !run->still_there())
        return;
    trace_fill(&t->trace, &run->head, run->read, run->from);
}

void context_trace_print(struct test_context *t, unsigned level, bool has_failed)
{
    if (!has_failed && !trace_is_asked())
        return;
    if (trace_is_asked())
        context_trace_failed(t);
    if (t->trace.is_there)
        t->traces_left_out += !trace_print(&t->trace, level, &t->trace_room);
}

void context_trace_forget(struct test_context *t)
{
    t->trace.is_there = t->trace.is_final = false;
    t->trace_of_run.read = NULL;
}

void context_trace_waits(struct test_context *t, bool is_unexpected)
{
    if (!t->trace.is_there || (!is_unexpected && !t->trace.is_final))
        context_trace_forget(t);
    else
        t->trace.is_final = true;
}

void context_trace_end(struct test_context *t)
{
    if (t->traces_left_out > 0)
        ktap_comment(LEVEL_TEST, "trace: left_out=%u, of this test, for which there was no room",
                     t->traces_left_out);
}

void context_trace_take(struct test_context *host, const struct test_context *guest)
{
    if (!host->trace.is_final && guest->trace.is_there)
        host->trace = guest->trace;
}
