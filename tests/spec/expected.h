/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the list of records that must be stored, from a program's truth and a setting. */
#ifndef TESTS_SPEC_EXPECTED_H
#define TESTS_SPEC_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pmi.h"
#include "kernel/report/test.h"
#include "tests/run/program.h"

#define EXPECTED_MAX        4096
#define EXPECTED_EVENTS_MAX 1024

struct expected_record {
    struct transfer transfer;
    uint64_t debugctl; /* under which it is stored; 0: nothing can be learnt from it */
    bool open;         /* stored or not: the processor's reading is not known yet */
    unsigned under;    /* circumstances of a finding about it, for errata */
};

/* An interrupt of the log: how many records are ahead of its delivery, and of its routine. */
struct expected_event {
    size_t delivered, served;
};

struct expected {
    const struct program *program; /* NULL: nothing is known of transfers without a record */
    size_t count;
    struct expected_record records[EXPECTED_MAX];
    uint64_t debugctl; /* in the end */
    size_t event_count;
    struct expected_event events[EXPECTED_EVENTS_MAX];
};

/* UNDER(…) bits: circumstances of a finding about a transfer's record. after_crossing: the transfer
 * before it changed ring. */
unsigned expected_under(uint64_t debugctl, const struct transfer *transfer, bool after_crossing);

/*
 * The program's transfers under this setting of IA32_DEBUGCTL, which the program may change, and
 * those of interrupts served while tracing was on; valid until the next call. Each interrupt adds
 * (interrupted instruction -> pmi_entry) and (pmi_iret -> interrupted instruction) where the truth
 * reaches that address. NULL after a test_fail() if an interrupt came at an address that the
 * program never reaches, or if the list is full.
 */
const struct expected *expected_of(struct test_context *t, const struct program *program,
                                   uint64_t debugctl, const struct pmi_log *interrupts);

#endif
