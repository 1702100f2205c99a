/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The branch records of a test in the log, beside the expected ones:
 *     # trace: source=bts steps=12 got=11 expected=12 first=0 got_first=0 expected_first=0 shown=12
 *     # trace: 0 = 0xffffffff818a4049 0xffffffff818b5db9 0x0 0>0 CALL indirect
 *     # trace: 1 - 0xffffffff818b5db9 0xffffffff818b5dbc - 0>0 JMP
 * A step is a record, a missing record, or an altered one: number, mark, FROM, TO, flags, rings,
 * kind, and for an altered record after a bar what was expected. "-" stands for unknown. Steps are
 * in order of time. tools/tracing/README.md has the full format.
 *
 * A (sub)test that fails keeps the steps around its first difference; with log=trace every
 * (sub)test keeps those of its last run. Kept and printed steps are limited.
 */
#ifndef KERNEL_REPORT_BRANCH_TRACE_H
#define KERNEL_REPORT_BRANCH_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_STEPS       256u   /* kept for a test or subtest */
#define TRACE_BEFORE      64u    /* of these, before the first difference */
#define TRACE_SHOWN       16u    /* of these, in the log */
#define TRACE_SHOWN_AHEAD 4u     /* of those, before the first difference */
#define TRACE_DIFF_AHEAD  2u     /* lines of the diff before the first difference */
#define TRACE_DIFF_BEHIND 6u     /* … and from it on */
#define TRACE_TEST_LINES  512u   /* in the log, for one test */
#define TRACE_LINES       192u   /* for the whole run, on all processors */
#define TRACE_LINES_ASKED 65536u /* instead of TRACE_LINES, with log=trace: all kept steps then */
#define TRACE_LINES_LEAST 32u    /* for each of many processors */
#define TRACE_LINE_BYTES  128u   /* of the longest line: TRACE_ALTERED, with a checksum */

enum trace_mark {
    TRACE_SAME,    /* '=' got, as expected */
    TRACE_ALTERED, /* '!' got, with half of it as expected */
    TRACE_MISSING, /* '-' expected, not got */
    TRACE_EXTRA,   /* '+' got, not expected */
    TRACE_ABSENT,  /* '~' not got, which is allowed */
    TRACE_ALONE,   /* '?' got, not compared */
};

struct trace_step {
    enum trace_mark mark;
    uint64_t from, to;                   /* got; if missing, expected */
    uint64_t flags;                      /* got. BTS: as stored; LBR: TRACE_MISPREDICTED, … */
    uint64_t expected_from, expected_to; /* of TRACE_ALTERED */
    const char *kind;                    /* NULL: unknown, like the rings */
    uint8_t from_ring, to_ring;
};

#define TRACE_MISPREDICTED   1u
#define TRACE_IN_TRANSACTION 2u
#define TRACE_ABORTED        4u

struct trace_head {
    const char *source;               /* "bts", "lbr" */
    bool is_compared;                 /* if not, nothing is known to be expected */
    size_t steps, got, expected;      /* totals */
    size_t first;                     /* number of the first kept step */
    size_t got_first, expected_first; /* records before that step */
    size_t shown;                     /* number of kept steps, up to TRACE_STEPS */
};

struct branch_trace {
    struct trace_head head;
    bool is_there;
    bool is_final; /* belongs to the failure */
    struct trace_step steps[TRACE_STEPS];
};

/* Reads a kept step by its number, from 0. */
typedef void (*trace_reader)(const void *from, size_t number, struct trace_step *step);

/* Replaces the kept steps. */
void trace_fill(struct branch_trace *trace, const struct trace_head *head, trace_reader read,
                const void *from);

/*
 * Says each line of the steps around the first difference, for people: expected and got aligned in
 * one list, with names.
 *     20 records expected, 41 got; - is missing, + is too many:
 *     +   0 0>0 CALL indirect bracket_call -> rings
 *        16 0>3 IRET rings.kernel.after_jrcxz+0x16 -> rings.user
 * Says nothing if none differs.
 */
typedef void (*trace_speaker)(void *to, const char *line);
void trace_diff(const struct branch_trace *trace, trace_speaker say, void *to);

/* Set and ask for log=trace, for the whole run. */
void trace_ask(bool is_asked);
bool trace_is_asked(void);

/* Divides the run's lines between so many processors. */
void trace_share(unsigned processors);

/* Prints the trace as comments of this level, as far as *left (lines left for the test, updated)
 * and the run's lines allow. If there is no room up to the first difference, prints nothing and
 * returns false. */
bool trace_print(const struct branch_trace *trace, unsigned level, unsigned *left);

#endif
