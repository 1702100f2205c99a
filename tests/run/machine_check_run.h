/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has the lab inject a machine check while a program runs, and keeps what its handler saw. */
#ifndef TESTS_RUN_MACHINE_CHECK_RUN_H
#define TESTS_RUN_MACHINE_CHECK_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/traps/machine_check.h"
#include "arch/trace/bts.h"
#include "kernel/report/test.h"

#define MACHINE_CHECK_RECORDS 64 /* of the BTS buffer */

struct machine_check_run {
    uint64_t debugctl; /* while the rounds run */
    bool user;         /* the rounds run in ring 3 */
    bool hold_off_interrupts;
    bool (*prepare)(struct test_context *t); /* before each attempt; may be NULL */
    void (*start)(void);                     /* right before the rounds; may be NULL */
    void (*provoke)(void); /* in the handler: creates conditions for storing; may be NULL */
};

/* Indexes are in records. The handler resets that of BTS and that of PEBS to 0, executes known
 * branches, and returns. */
struct machine_check_observation {
    struct machine_check check;
    uint64_t rip;           /* saved by the processor */
    uint64_t count;         /* rounds begun */
    size_t bts_index;       /* at the handler's entry */
    size_t bts_in_handler;  /* after its branches */
    size_t bts_after;       /* after IRET and more branches */
    size_t pebs_in_handler; /* likewise; 0 when PEBS is not laid out */
    size_t pebs_after;
    uint64_t debugctl, pebs_enable, ds_area; /* at the handler's entry */
    uint64_t debugctl_after;                 /* after IRET */
    bool changed;                            /* a record changed after the handler's entry */
    struct bts_record records[MACHINE_CHECK_RECORDS]; /* at the handler's entry */
};

/* True if no lab has said that it can inject one; then writes the reason to `why`. */
bool machine_check_has_no_lab(char *why, size_t size);

/* False after a test_skip() if there is no such lab, or after a test_fail() if a lab promised one
 * and did not inject it. */
bool machine_check_is_possible(struct test_context *t);

/*
 * Has one machine check come amid the rounds. The caller sets up the buffers, that for BTS with
 * MACHINE_CHECK_RECORDS. False after a test_fail() or test_skip() (see above) if no machine check
 * came.
 */
bool machine_check_run(struct test_context *t, const struct machine_check_run *run,
                       struct machine_check_observation *seen);

/* The handler's branches, to be run without a machine check. */
void machine_check_branches(void);

#endif
