/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run must do to the BTS buffer and ask of the interrupt: the specification, applied to one
 * program, its setting, its fields, and the interrupts that came.
 */
#ifndef TESTS_SPEC_BTS_PREDICT_H
#define TESTS_SPEC_BTS_PREDICT_H

#include "tests/run/run.h"
#include "tests/spec/expected.h"
#include "tests/spec/store.h"

struct bts_prediction {
    const struct run *run;
    const struct program *program;
    const struct pmi_log *log;       /* of the interrupts that came; NULL: before the run */
    const struct expected *expected; /* the records */
    const uint64_t *place;           /* the address of each; 0: it is dropped */
    struct store store;              /* in the end */
    bool is_open;                    /* whether some record is stored is not known */
    bool is_masked;                  /* the LVT entry, for all that is known */
    enum maybe pending;              /* is an interrupt due that has not come? */
    size_t next;                     /* event of the log that comes next */
    size_t extra;                    /* the first event that nothing asked for, or SIZE_MAX */
};

/* area: the fields right before the program. False after a test_fail() of expected_of(). Valid
 * until the next call. */
bool bts_predict(struct test_context *t, struct bts_prediction *p,
                 const struct ds_management_area *area);

/* Do all records lie one behind another, from the first index on? */
bool bts_is_in_order(const struct bts_prediction *p, const struct ds_management_area *area);

/* Does one that may not be there leave the places of others open? Not where all are in order. */
bool bts_is_loose(const struct bts_prediction *p, const struct ds_management_area *area);

/* Is enough known of the run to predict it? Not if its routine is somebody's own, or its program
 * writes another area. */
bool bts_is_judged(const struct program *program, const struct run *run);

/* Does it go on in the buffer of the run before? */
bool bts_goes_on(const struct run *run);

/* Does the routine empty the buffer each time that it comes? */
bool bts_is_drained(const struct run *run);

#endif
