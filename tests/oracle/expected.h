/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a program's truth and a mode to the records that must be stored, in order. */
#ifndef TESTS_ORACLE_EXPECTED_H
#define TESTS_ORACLE_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pmi.h"
#include "kernel/report/test.h"
#include "tests/run/program.h"

#define EXPECTED_MAX 4096

struct expected_record {
    struct transfer transfer;
    bool open;      /* stored or not, by a reading that is not known yet */
    unsigned under; /* circumstances of what is found about it */
};

struct expected {
    size_t count;
    struct expected_record records[EXPECTED_MAX];
};

/* Circumstances of what is found about a transfer's record; the transfer before it changed ring? */
unsigned expected_under(uint64_t debugctl, const struct transfer *transfer, bool after_crossing);

/*
 * The program's transfers under this setting of IA32_DEBUGCTL, together with those of the
 * interrupts that were served while tracing was on: each adds (interrupted instruction ->
 * pmi_entry) and (pmi_iret -> interrupted instruction) where the interrupted address stands in the
 * truth. NULL after a test_fail() when an interrupt came at an address where the program never was,
 * or the list is full.
 */
const struct expected *expected_of(struct test_context *t, const struct program *program,
                                   uint64_t debugctl, const struct pmi_log *interrupts);

#endif
