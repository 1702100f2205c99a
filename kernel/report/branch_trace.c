/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/branch_trace.h"

#include "arch/lib/printf.h"
#include "kernel/report/ktap.h"

#define TEXT_SIZE 64u

static bool is_asked;
static unsigned sharers = 1;
static unsigned printed; /* lines, in the run */

void trace_ask(bool asked)
{
    is_asked = asked;
}

bool trace_is_asked(void)
{
    return is_asked;
}

void trace_share(unsigned processors)
{
    sharers = processors;
}

void trace_fill(struct branch_trace *trace, const struct trace_head *head, trace_reader read,
                const void *from)
{
    trace->head = *head;
    if (trace->head.shown > TRACE_STEPS)
        trace->head.shown = TRACE_STEPS;
    trace->is_there = true;
    for (size_t i = 0; i < trace->head.shown; i++) {
        trace->steps[i] = (struct trace_step){0};
        read(from, i, &trace->steps[i]);
    }
}

static bool is_got(const struct trace_step *step)
{
    return step->mark != TRACE_MISSING && step->mark != TRACE_ABSENT;
}

static void print_step(unsigned level, size_t number, const struct trace_step *step)
{
    static const char marks[] = "=!-+~?";
    char flags[TEXT_SIZE] = "-", rings[TEXT_SIZE] = "-", wanted[TEXT_SIZE] = "";

    if (is_got(step))
        format_string(flags, sizeof(flags), "0x%lx", step->flags);
    if (step->kind != NULL)
        format_string(rings, sizeof(rings), "%u>%u", step->from_ring, step->to_ring);
    if (step->mark == TRACE_ALTERED)
        format_string(wanted, sizeof(wanted), " | 0x%lx 0x%lx", step->expected_from,
                      step->expected_to);
    ktap_comment(level, "trace: %zu %c 0x%lx 0x%lx %s %s %s%s", number, marks[step->mark],
                 step->from, step->to, flags, rings, step->kind != NULL ? step->kind : "-", wanted);
}

static void print_head(unsigned level, const struct trace_head *head, size_t shown)
{
    char expected[TEXT_SIZE] = "";

    if (head->is_compared)
        format_string(expected, sizeof(expected), " expected=%zu", head->expected);
    ktap_comment(level,
                 "trace: source=%s steps=%zu got=%zu%s first=%zu got_first=%zu expected_first=%zu "
                 "shown=%zu",
                 head->source, head->steps, head->got, expected, head->first, head->got_first,
                 head->expected_first, shown);
}

static unsigned room_of_run(void)
{
    unsigned most = (is_asked ? TRACE_LINES_ASKED : TRACE_LINES) / sharers;

    if (most < TRACE_LINES_LEAST)
        most = TRACE_LINES_LEAST;
    return printed < most ? most - printed : 0;
}

static bool is_difference(enum trace_mark mark)
{
    return mark == TRACE_ALTERED || mark == TRACE_MISSING || mark == TRACE_EXTRA;
}

/* With its head, up to what it is there for: the first difference. */
static size_t least_lines(const struct branch_trace *trace)
{
    for (size_t i = 0; i < trace->head.shown; i++)
        if (is_difference(trace->steps[i].mark))
            return i + 2;
    return 2;
}

bool trace_print(const struct branch_trace *trace, unsigned level, unsigned *left)
{
    unsigned room = *left < room_of_run() ? *left : room_of_run();
    size_t shown = trace->head.shown;

    if (shown == 0)
        return true;
    if (room < least_lines(trace))
        return false;
    if (shown > room - 1)
        shown = room - 1;
    print_head(level, &trace->head, shown);
    for (size_t i = 0; i < shown; i++)
        print_step(level, trace->head.first + i, &trace->steps[i]);
    *left -= (unsigned)shown + 1;
    printed += (unsigned)shown + 1;
    return true;
}
