/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/branch_trace.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/ktap.h"

#define TEXT_SIZE 64u
#define LINE_SIZE 256u

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

/* The first difference, or 0 if there is none. */
static size_t first_difference(const struct branch_trace *trace)
{
    for (size_t i = 0; i < trace->head.shown; i++)
        if (is_difference(trace->steps[i].mark))
            return i;
    return 0;
}

struct diff {
    trace_speaker say;
    void *to;
};

static void say_step(const struct diff *diff, char mark, size_t number,
                     const struct trace_step *step, uint64_t from, uint64_t to)
{
    char line[LINE_SIZE], rings[TEXT_SIZE] = "";

    if (step->kind != NULL)
        format_string(rings, sizeof(rings), "%u>%u %s ", step->from_ring, step->to_ring,
                      step->kind);
    format_string(line, sizeof(line), "%c %3zu %s%pS -> %pS", mark, number, rings, (void *)from,
                  (void *)to);
    diff->say(diff->to, line);
}

/* One that was altered is one that is missing and one that is too many, in its place. */
static void say_difference(const struct diff *diff, size_t number, const struct trace_step *step)
{
    static const char marks[] = {
        [TRACE_SAME] = '=',  [TRACE_ALTERED] = '+', [TRACE_MISSING] = '-',
        [TRACE_EXTRA] = '+', [TRACE_ABSENT] = '~',  [TRACE_ALONE] = '?',
    };

    if (step->mark == TRACE_ALTERED)
        say_step(diff, '-', number, step, step->expected_from, step->expected_to);
    say_step(diff, marks[step->mark], number, step, step->from, step->to);
}

static void say_counts(const struct diff *diff, const struct trace_head *head)
{
    bool is_lbr = strcmp(head->source, "lbr") == 0;
    char line[LINE_SIZE] = "";

    if (head->is_compared)
        format_append(line, sizeof(line), " %zu %s expected,", head->expected,
                      is_lbr ? "entries" : "records");
    format_append(line, sizeof(line), " %zu got; - is missing, + is too many:", head->got);
    diff->say(diff->to, line + 1);
}

void trace_diff(const struct branch_trace *trace, trace_speaker say, void *to)
{
    const struct trace_head *head = &trace->head;
    const struct diff diff = {.say = say, .to = to};
    size_t first = first_difference(trace);
    size_t begin = first < TRACE_DIFF_AHEAD ? 0 : first - TRACE_DIFF_AHEAD;

    if (head->shown == 0 || !is_difference(trace->steps[first].mark))
        return;
    say_counts(&diff, head);
    for (size_t i = begin; i < head->shown && i < first + TRACE_DIFF_BEHIND; i++)
        say_difference(&diff, head->first + i, &trace->steps[i]);
}

/* Of the kept steps the log shows fewer, unless it is asked for all. Returns where they begin. */
static size_t first_shown(const struct branch_trace *trace)
{
    size_t first = first_difference(trace);

    return is_asked || first < TRACE_SHOWN_AHEAD ? 0 : first - TRACE_SHOWN_AHEAD;
}

static size_t shown_from(const struct branch_trace *trace, size_t begin, unsigned room)
{
    size_t shown = trace->head.shown - begin;

    if (!is_asked && shown > TRACE_SHOWN)
        shown = TRACE_SHOWN;
    return shown < room - 1 ? shown : room - 1;
}

/* Of a trace that begins so many steps later. */
static struct trace_head head_from(const struct branch_trace *trace, size_t begin)
{
    struct trace_head head = trace->head;

    head.first += begin;
    for (size_t i = 0; i < begin; i++) {
        head.got_first += is_got(&trace->steps[i]);
        head.expected_first +=
            head.is_compared ? trace->steps[i].mark != TRACE_EXTRA : is_got(&trace->steps[i]);
    }
    return head;
}

bool trace_print(const struct branch_trace *trace, unsigned level, unsigned *left)
{
    unsigned room = *left < room_of_run() ? *left : room_of_run();
    size_t begin = first_shown(trace), shown;
    struct trace_head head = head_from(trace, begin);

    if (trace->head.shown == 0)
        return true;
    if (room < first_difference(trace) - begin + 2) /* what it is there for has no room */
        return false;
    shown = shown_from(trace, begin, room);
    print_head(level, &head, shown);
    for (size_t i = 0; i < shown; i++)
        print_step(level, head.first + i, &trace->steps[begin + i]);
    *left -= (unsigned)shown + 1;
    printed += (unsigned)shown + 1;
    return true;
}
