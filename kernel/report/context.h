/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens inside one test: failures, notes, subtests, broken claims. The runner drives it, a
 * test body speaks to it through kernel/report/test.h.
 */
#ifndef KERNEL_REPORT_CONTEXT_H
#define KERNEL_REPORT_CONTEXT_H

#include "kernel/report/findings.h"
#include "kernel/report/branch_trace.h"
#include "kernel/report/errata.h"
#include "kernel/report/notes.h"
#include "kernel/report/test.h"

#define CONTEXT_REASON_SIZE 160u
#define CONTEXT_NAME_SIZE   128u

struct subtests {
    bool has_plan;
    unsigned planned, run;
    bool is_open, failed, skipped; /* the one between test_begin and test_end */
    bool starved;
    bool unexpected; /* it failed in a way that no erratum explains */
    const char *claim;
    size_t notes_start;     /* its own notes begin here */
    unsigned checks_before; /* of the test, when it began */
    char name[CONTEXT_NAME_SIZE];
    char reason[CONTEXT_REASON_SIZE];
    char errata[CONTEXT_REASON_SIZE]; /* those that explain its failure, with counts */
};

/* A run, whose records can be read until the next one; still_there says whether that is so. */
struct trace_of_run {
    struct trace_head head;
    trace_reader read;
    bool (*still_there)(void);
    const void *from;
};

struct test_context {
    const struct test *test;
    const char
        *place; /* where, as kernel/machine/place.h has it: "@E2"; "" or NULL: where it booted */
    uint64_t seed, repetition, repetitions;
    bool is_drawn; /* in a soak: seed and repetition bring the failure back */
    bool replays;  /* the failure comes with this seed in the first repetition */
    bool failed, skipped;
    bool hung;               /* the time was up */
    bool starved;            /* … and it had had too little of it: nothing is known of the test */
    bool plan_is_printed;    /* of its subtests */
    unsigned printed;        /* subtests that have their lines */
    bool has_bad_line;       /* one of those lines says that it failed */
    bool (*disturbed)(void); /* asked when a subtest fails; NULL: it counts, whatever came */
    bool is_held; /* it was disturbed: from there on there are no lines, for the test runs again */
    bool no_excuse;                /* it failed in a way that no erratum explains: hung, refused */
    bool unexpected;               /* it or a subtest failed, and no erratum explains it */
    const struct erratum *certain; /* one that says that it cannot pass, or NULL */
    char reason[CONTEXT_REASON_SIZE];
    struct subtests sub;
    struct claim_set broken;
    const char *breaks_too;   /* of the (sub)test, beside its own claim; NULL: nothing */
    unsigned failed_subtests; /* in a way that no erratum explains; of all repetitions */
    char failed_subtest[CONTEXT_NAME_SIZE];  /* the first of them */
    char first_finding[CONTEXT_REASON_SIZE]; /* that no erratum explains, in words */
    unsigned found[FINDING_KINDS];           /* since the (sub)test began, or the last one ended */
    unsigned explained[ERRATA_MAX];          /* likewise, by the row that explains them */
    unsigned explained_in_all[ERRATA_MAX];   /* … of the whole test */
    unsigned under;                          /* likewise */
    uint64_t compared;                       /* likewise: records, entries, counts */
    unsigned checks;                         /* that say something of a claim, in this repetition */
    struct notes notes;
    struct branch_trace trace;        /* of the (sub)test, or of the subtest that failed */
    struct trace_of_run trace_of_run; /* what the last run left */
    unsigned trace_room;              /* lines that the test may still have */
    unsigned traces_left_out;         /* for which there was no room */
};

void context_start(struct test_context *t, const struct test *test, uint64_t seed,
                   uint64_t repetitions);

/* From the start again, but for the lines that subtests have. */
void context_restart(struct test_context *t, uint64_t seed);

/* Before each run of the body. Subtests of the first repetition are printed, later ones are not. */
void context_repeat(struct test_context *t, uint64_t repetition);

/* The body is run again from its start; subtests that have their lines get no second one. */
void context_again(struct test_context *t);

/* Subtests have lines of their own in the first repetition; a later one only speaks to fail. */
bool context_prints_subtests(const struct test_context *t);

/* Ends the test, and the subtest that is open, as one of which nothing can be said, and why. */
void context_starve(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* After the body, however it ended: closes what is open and gives every planned subtest a line. */
void context_close(struct test_context *t);

/* Whether it failed, and only as errata of this processor have it. */
bool context_failed_as_expected(const struct test_context *t);

/* Prints the branch records that are kept and have no line yet, as comments of the test's level. */
void context_report_trace(struct test_context *t);

/* Prints the notes, these records and what helps to find the failure again, as comments of the
 * test's level. */
void context_report_failure(struct test_context *t);

/*
 * Which branch records of a test are the ones to keep (kernel/report/branch_trace.h): of a failure
 * those of the run that it came in, beside what was expected of them where they were compared. What
 * runs and compares says what there is; it is read only where it will be shown.
 */
/* Whether what is compared now is to be kept: the (sub)test has failed, or trace=1. */
bool test_keeps_trace(const struct test_context *t);

/* A comparison, whose steps can be read until this returns. */
void test_trace(struct test_context *t, const struct trace_head *head, trace_reader read,
                const void *from);

void test_trace_run(struct test_context *t, const struct trace_of_run *run);

/* … for kernel/report/context.c and kernel/run/nested.c alone: */

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
