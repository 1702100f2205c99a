/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The branch records of a test on their way to the log, beside what the test knows of them:
 *     # trace: source=bts steps=12 got=11 expected=12 first=0 got_first=0 expected_first=0 shown=12
 *     # trace: 0 = 0xffffffff818a4049 0xffffffff818b5db9 0x0 0>0 CALL indirect
 *     # trace: 1 - 0xffffffff818b5db9 0xffffffff818b5dbc - 0>0 JMP
 * A step is a record that is there, one that is not, or both side by side: number, mark, FROM, TO,
 * flags, rings, kind, and behind a bar what was expected of one that is altered. What is not known
 * is "-". Steps are in the order of time. tools/tracing/README.md has the whole of it.
 *
 * Of a (sub)test that fails the steps around the first difference are kept, of any with trace=1
 * those of its last run; bounded, in the log too.
 */
#ifndef KERNEL_REPORT_BRANCH_TRACE_H
#define KERNEL_REPORT_BRANCH_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_STEPS       256u   /* kept, of a test or subtest */
#define TRACE_BEFORE      64u    /* of these in front of the first difference */
#define TRACE_TEST_LINES  512u   /* in the log, of one test */
#define TRACE_LINES       4096u  /* … of the whole run, on all processors */
#define TRACE_LINES_ASKED 65536u /* … with trace=1 */
#define TRACE_LINES_LEAST 128u   /* … of a processor that shares them with many */
#define TRACE_LINE_BYTES  128u   /* of a line, at most: TRACE_ALTERED, with a checksum */

enum trace_mark {
    TRACE_SAME,    /* '=' got, as expected */
    TRACE_ALTERED, /* '!' got, and half of it is what was expected */
    TRACE_MISSING, /* '-' expected, not got */
    TRACE_EXTRA,   /* '+' got, not expected */
    TRACE_ABSENT,  /* '~' not got, which is as good as got */
    TRACE_ALONE,   /* '?' got, beside nothing */
};

struct trace_step {
    enum trace_mark mark;
    uint64_t from, to;                   /* got; of one that was not: expected */
    uint64_t flags;                      /* got. BTS: as stored; LBR: TRACE_MISPREDICTED, … */
    uint64_t expected_from, expected_to; /* of TRACE_ALTERED */
    const char *kind;                    /* NULL: not known, nor are the rings */
    uint8_t from_ring, to_ring;
};

#define TRACE_MISPREDICTED   1u
#define TRACE_IN_TRANSACTION 2u
#define TRACE_ABORTED        4u

struct trace_head {
    const char *source;               /* "bts", "lbr" */
    bool is_compared;                 /* else nothing is known to have been expected */
    size_t steps, got, expected;      /* in all */
    size_t first;                     /* number of the first step that is kept */
    size_t got_first, expected_first; /* so many records stand before it */
    size_t shown;                     /* that are kept, up to TRACE_STEPS */
};

struct branch_trace {
    struct trace_head head;
    bool is_there;
    bool is_final; /* it is that of the failure */
    struct trace_step steps[TRACE_STEPS];
};

/* Where steps come from: the kept ones by number, from 0. */
typedef void (*trace_reader)(const void *from, size_t number, struct trace_step *step);

/* Keeps these in the place of others. */
void trace_fill(struct branch_trace *trace, const struct trace_head *head, trace_reader read,
                const void *from);

/* trace=1, for the whole run. */
void trace_ask(bool is_asked);
bool trace_is_asked(void);

/* So many processors have the run's lines between them. */
void trace_share(unsigned processors);

/* Prints it as comments of that level, as far as *left, lines that the test may still have, and the
 * run have room; false: not one line of it, as there is no room up to its first difference. */
bool trace_print(const struct branch_trace *trace, unsigned level, unsigned *left);

#endif
