/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run leaves alone: all registers and fields of the facilities under test that nothing in it
 * may change. Which may change follows from the registers themselves, so no test needs an
 * expectation of its own.
 */
#ifndef TESTS_SPEC_LEFT_ALONE_H
#define TESTS_SPEC_LEFT_ALONE_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/run/facility.h"
#include "tests/workloads/register_write.h"

struct left_alone {
    /* Before and after the program, with IA32_DEBUGCTL and IA32_PERF_GLOBAL_CTRL as they were while
     * it ran and at its end. */
    struct facility_look before, after;
    struct register_write write; /* by the program, if it `writes` */
    bool writes;
    bool has_debug_exception; /* it clears LBR and BTF */
    bool leaves_ring_0;       /* or may do so */
    bool has_event;           /* an exception or interrupt, or may have one */
    bool was_interrupted;     /* by the performance interrupt, whose routine changes more */
    bool may_have_smi;        /* one that was asked for, or that MSR_SMI_COUNT shows */
    bool may_lose_stack;      /* it halts (F8.6, F20.38) */
    bool is_area_open;        /* that routine may have laid out the buffer anew */
};

/* Fails the test for each that changed although nothing may have changed it. */
void left_alone_check(struct test_context *t, const struct left_alone *run);

#endif
