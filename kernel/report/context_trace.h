/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which branch records of a test are the ones to keep (kernel/report/branch_trace.h): of a failure
 * those of the run that it came in, beside what was expected of them where they were compared. What
 * runs and compares says what there is; it is read only where it will be shown.
 */
#ifndef KERNEL_REPORT_CONTEXT_TRACE_H
#define KERNEL_REPORT_CONTEXT_TRACE_H

#include "kernel/report/branch_trace.h"
#include "kernel/report/test.h"

/* Whether what is compared now is to be kept: the (sub)test has failed, or trace=1. */
bool test_keeps_trace(const struct test_context *t);

/* A comparison, whose steps can be read until this returns. */
void test_trace(struct test_context *t, const struct trace_head *head, trace_reader read,
                const void *from);

/* A run, whose records can be read until the next one; still_there says whether that is so. */
struct trace_of_run {
    struct trace_head head;
    trace_reader read;
    bool (*still_there)(void);
    const void *from;
};
void test_trace_run(struct test_context *t, const struct trace_of_run *run);

/* --- for kernel/report/context.c and kernel/run/nested.c alone --- */

/* A finding has come that no erratum explains. */
void context_trace_failed(struct test_context *t);

/* The end of a (sub)test: prints what is kept, where it is to be shown. */
void context_trace_print(struct test_context *t, unsigned level, bool has_failed);

/* The end of a subtest that has no line: what failed unexpectedly is the test's, to be printed with
 * its result. */
void context_trace_waits(struct test_context *t, bool is_unexpected);

/* Forgets it; what comes next is another subtest's. */
void context_trace_forget(struct test_context *t);

/* The last line about traces of a test, where some had no room. */
void context_trace_end(struct test_context *t);

/* That of a test in a subtest is the subtest's. */
void context_trace_take(struct test_context *host, const struct test_context *guest);

#endif
