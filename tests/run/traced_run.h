/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program with the branch trace store set up in a given way, and keeps all that can be seen
 * of it. */
#ifndef TESTS_RUN_TRACED_RUN_H
#define TESTS_RUN_TRACED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/bts.h"
#include "arch/trace/pmi.h"
#include "kernel/test.h"
#include "tests/run/program.h"

struct traced_run {
    uint64_t debugctl; /* while the program runs */
    struct bts_layout layout;
    size_t first; /* where the first record goes, in records from the base */
    enum pmi_policy policy;
    enum apic_delivery delivery;
    bool hold_off_interrupts; /* IF = 0 while tracing is on */
    bool lvt_masked;          /* the LVT performance entry stays masked */
    bool keep_ds_area;        /* IA32_DS_AREA is not written again, only the fields */
    size_t interrupts_wanted; /* stop waiting for late interrupts once so many have come */
};

struct traced_result {
    size_t index;          /* as the program left it, before anything was drained; records */
    uint64_t debugctl_end; /* IA32_DEBUGCTL right before tracing was turned off */
    bool lvt_masked_end;
    size_t interrupts; /* PMIs from start to the end of the wait */
    const struct pmi_log *log;
    const struct bts_record *records; /* PMI_SERVE: all drained; PMI_COUNT: the buffer itself */
    size_t count;                     /* PMI_SERVE: drained; PMI_COUNT: index */
};

/* The result stays until the next call. False after a test_fail() when it could not be set up. */
bool traced_run(struct test_context *t, const struct program *program, const struct traced_run *run,
                struct traced_result *result);

/* Fails the test when anything outside the first so many records was touched. */
bool traced_expect_no_stray_write(struct test_context *t, size_t records);

#endif
