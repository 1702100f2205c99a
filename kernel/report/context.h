/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of one test: failures, notes, subtests, broken claims. The runner drives it; a test body
 * reports to it through kernel/report/test.h.
 */
#ifndef KERNEL_REPORT_CONTEXT_H
#define KERNEL_REPORT_CONTEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/branch_trace.h"
#include "kernel/report/errata.h"
#include "kernel/report/sums/sums.h"

/* Lines that are printed only if the test fails. */
#define NOTES_SIZE 16384u /* bytes of diagnostics kept for one test */
#define NOTE_SIZE  400u   /* bytes of a line; a longer one is cut */

struct notes {
    char text[NOTES_SIZE]; /* finished lines */
    size_t length;
    unsigned dropped; /* lines without room */
};

/* Formats and keeps one line, cut to NOTE_SIZE. */
void notes_add(struct notes *notes, const char *format, va_list arguments);

/* Appends the lines of others, as many as fit. */
void notes_append(struct notes *notes, const struct notes *others);

/* Moves the lines from byte `start` on to byte `to`, ahead of those that are there. */
void notes_move(struct notes *notes, size_t start, size_t to);

/* Prints the lines from byte `start` on as comments of this level, and forgets them. */
void notes_flush(struct notes *notes, unsigned level, size_t start);

/* Is this the first call with this text in the run, as far as there is room to remember? */
bool notes_first_time(const char *text);

/*
 * A log stays short where much fails alike: of a kind of finding and a claim the first failures
 * show all, later ones are brief. Each of these says kinds, claim and result.
 */
#define ALIKE_WHOLE      3u  /* of a kind and a claim */
#define ALIKE_WHOLE_KIND 12u /* of a kind, whatever the claim */

/* Forgets all failures, before a run. */
void alike_begin(void);

/* Counts a failure with these findings; claim: its first. Returns whether it is brief, which one
 * of the test itself never is. */
bool alike_is_brief(const bool kinds[FINDING_KINDS], const char *claim);

#define CONTEXT_REASON_SIZE 160u
#define CONTEXT_NAME_SIZE   128u

struct subtests {
    bool has_plan;
    unsigned planned, run;
    bool is_open, failed, skipped; /* the subtest between test_begin and test_end */
    bool starved;
    bool unexpected;       /* it failed, unexplained by errata */
    unsigned places;       /* of findings in the first run that failed (enum finding_place) */
    uint64_t places_since; /* records compared when it had the first of them */
    const char *claim;
    size_t notes_start;     /* its own notes begin here */
    unsigned checks_before; /* of the test, when it began */
    char name[CONTEXT_NAME_SIZE];
    char reason[CONTEXT_REASON_SIZE];
    char errata[CONTEXT_REASON_SIZE]; /* errata that explain its failure, with counts */
};

/* A run's branch records. They can be read until the next run, while still_there() is true. */
struct trace_of_run {
    struct trace_head head;
    trace_reader read;
    bool (*still_there)(void);
    const void *from;
};

struct test_context {
    const struct test *test;
    const char *cpu_label; /* suffix of kernel/machine/cpu_label.h, "@E2"; "" or NULL: the processor
                              that booted */
    uint64_t seed, repetition, repetitions; /* repetition: from 0 */
    bool is_drawn;  /* in a soak: seed and repetition reproduce the failure */
    bool is_retest; /* it has failed before: prints nothing, notes no coverage */
    bool replays;   /* this seed reproduces the failure in the first repetition */
    bool failed, skipped;
    bool hung;               /* the time was up */
    bool starved;            /* hung, but the processor got too little time: no result */
    bool plan_is_printed;    /* the plan of its subtests */
    unsigned printed;        /* number of subtests with a line */
    bool has_bad_line;       /* one of those lines is a failure */
    bool (*disturbed)(void); /* called when a subtest fails; NULL: every failure counts */
    bool is_held;            /* disturbed: prints no lines any more, because the test runs again */
    bool no_excuse;          /* failed in a way that no erratum excuses: hung, refused */
    bool unexpected;         /* it or a subtest failed, unexplained by errata */
    const struct erratum *certain; /* an erratum that lets it never pass, or NULL */
    char reason[CONTEXT_REASON_SIZE];
    struct subtests sub;
    struct claim_set broken;
    struct claim_set broken_here; /* in the (sub)test alone */
    char broken_line[SUMS_LINE];  /* the line of the whole test, or "" */
    bool is_summed;               /* its checks count for the run (kernel/report/sums/sums.h) */
    struct run_conditions run;    /* of its last run */
    bool has_run, run_is_noted;
    const char *breaks_too;                  /* a claim of the (sub)test besides its own, or NULL */
    unsigned failed_subtests;                /* unexplained by errata, in all repetitions */
    char failed_subtest[CONTEXT_NAME_SIZE];  /* the first of these */
    char first_finding[CONTEXT_REASON_SIZE]; /* unexplained by errata, in words */
    unsigned found[FINDING_KINDS];           /* findings since a (sub)test last began or ended */
    bool has_found[FINDING_KINDS];           /* kinds of finding in the (sub)test that began last */
    unsigned explained[ERRATA_MAX];          /* of these, by the row of errata that explains them */
    unsigned explained_in_all[ERRATA_MAX];   /* the same in the whole test */
    unsigned under;                          /* UNDER(…), since the same moment */
    uint64_t compared;                       /* records, entries and counts, since then */
    unsigned checks;                         /* checks of claims in this repetition */
    struct notes notes;
    size_t findings_start;            /* in the notes: the first finding of the (sub)test */
    struct notes brief;               /* in their place, of a failure like earlier ones */
    unsigned brief_count;             /* such failures */
    struct branch_trace trace;        /* of the (sub)test, or of a failed subtest */
    struct trace_of_run trace_of_run; /* of the test's last run */
    unsigned trace_room;              /* lines left for the test */
    unsigned traces_left_out;         /* traces without room */
};

void context_start(struct test_context *t, const struct test *test, uint64_t seed,
                   uint64_t repetitions);

/* Starts the test again; the lines of subtests stay. */
void context_restart(struct test_context *t, uint64_t seed);

/* Call it before each run of the body. Only the first repetition prints subtests. */
void context_repeat(struct test_context *t, uint64_t repetition);

/* The body runs again from its start. Subtests that have lines get no second one. */
void context_again(struct test_context *t);

/* Has each subtest a line? True in the first repetition; in later ones and in a retest a failure is
 * noted in the test. */
bool context_prints_subtests(const struct test_context *t);

/* Marks the test, and the open subtest, as ended without a result; the format says why. */
void context_starve(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Call it after the body, however it ended. Closes an open subtest and gives every planned subtest
 * a line. */
void context_close(struct test_context *t);

/* Did it fail, and do errata of this processor explain every failure? */
bool context_failed_as_expected(const struct test_context *t);

/* Where the findings lie of the subtest whose result is being printed (enum finding_place), of the
 * first of its runs that failed, because in a smaller buffer one wrong record displaces right ones.
 * 0: it did not fail here. */
unsigned context_places(void);

/* Prints kept branch records that have no line yet, as comments of the test's level. */
void context_report_trace(struct test_context *t);

/* Prints notes, branch records and how to reproduce a failure, as comments of the test's level. */
void context_report_failure(struct test_context *t);

/*
 * Which branch records of a test are kept (kernel/report/branch_trace.h): for a failure those of
 * its run, with the expected ones if they were compared. Runs and comparisons announce their
 * records; only records that will be printed are read.
 */
/* Are records of a comparison to be kept now? True if the (sub)test has failed, or with log=trace.
 */
bool test_keeps_trace(const struct test_context *t);

/* Announces a comparison. Its steps are read before this returns. */
void test_trace(struct test_context *t, const struct trace_head *head, trace_reader read,
                const void *from);

void test_trace_run(struct test_context *t, const struct trace_of_run *run);

/* The findings that follow are of this run: the first one has a note of it, "run: …". */
void test_run_is(struct test_context *t, const struct run_conditions *run);

/* For kernel/report/context.c and kernel/run/nested.c only: */

/* Call it for a finding that no erratum explains. */
void context_trace_failed(struct test_context *t);

/* At the end of a (sub)test: prints the kept records, if they are to be printed. */
void context_trace_print(struct test_context *t, unsigned level, bool has_failed);

/* At the end of a subtest without a line: an unexpected failure's records go to the test, which
 * prints them with its result. */
void context_trace_waits(struct test_context *t, bool is_unexpected);

/* Forgets the records, before another subtest. */
void context_trace_forget(struct test_context *t);

/* Prints a last line if some traces of the test had no room. */
void context_trace_end(struct test_context *t);

/* At the end of a (sub)test: settles errata, and notes how many more findings there were. */
void context_count_findings(struct test_context *t);

/* For the sums: a check that held or did not; the result of the (sub)test that ends. */
void context_sum_up(const struct test_context *t, const struct finding *check, bool held);
void context_sum_result(struct test_context *t);

/* Notes the run that the findings are of, "run: …", unless that was noted. */
void context_note_run(struct test_context *t);

/* A note that a brief failure has, too. */
void context_note_always(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Gives a nested test's records to the subtest. */
void context_trace_take(struct test_context *host, const struct test_context *guest);

/* Sets the kernel's command line, which must stay valid, for rerun_options(). */
void rerun_set_command_line(const char *line);

/*
 * The options that reproduce a failure: writes " ARGS='repeat=3 seed=0x7'", or "" if no option
 * matters, to text of size bytes. Returns text. seed: of the test's random choices. repeat:
 * repetitions that reproduce the failure; 0: those of the command line. Leaves out a soak's own
 * options.
 */
char *rerun_options(uint64_t seed, uint64_t repeat, char *text, size_t size);

#endif
