/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Known deviations: which tests are expected to fail on which processors, and which erratum says
 * so. The table is deviations.def, one line a row. A failure that a row explains is an XFAIL with
 * the erratum's name; a test that passes although a row says that it always fails is told.
 */
#ifndef KERNEL_DEVIATIONS_H
#define KERNEL_DEVIATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/cpu/features.h"
#include "kernel/test.h"

#define DEVIATION_MODEL_COUNT 12u

/* Whose deviation it is. */
enum deviation_owner {
    DEVIATION_OF_SILICON,    /* Intel processors of family 6, by model; not emulated ones */
    DEVIATION_OF_HYPERVISOR, /* every guest of the hypervisor named */
    DEVIATION_OF_ANY,        /* every processor: for self-tests */
};

struct deviation {
    enum deviation_owner owner;
    uint8_t models[DEVIATION_MODEL_COUNT]; /* DisplayModel, 0 at the end */
    uint8_t steppings[2];                  /* first and last */
    uint32_t microcode_fixed;              /* this revision and later do not deviate; 0: all do */
    const char *hypervisor;                /* as CPUID.40000000H names it */
    const char *glob;                      /* of suite.test, or of suite.test.subtest */
    bool always;                           /* it cannot pass; else it may fail now and then */
    const char *id;                        /* the erratum's, in print */
    const char *effect, *source;           /* for people */
};

/* Pure: whether the row is about this processor. A guest's microcode revision tells nothing. */
bool deviation_applies(const struct deviation *row, const struct cpu_identity *cpu);

/* Row number i of the table, or NULL beyond the last. */
const struct deviation *deviation_row(size_t i);

/*
 * The processor that deviation_find() speaks of; it must stay. NULL (as at the start): no row
 * applies. Self-tests keep their rows in any case once a processor is set.
 */
void deviations_select(const struct cpu_identity *cpu);

/* The first row that explains a failure of the test (subtest NULL) or of its subtest, or NULL. */
const struct deviation *deviation_find(const struct test *test, const char *subtest);

/* The ids of the rows that apply but for self-tests', each once, a space before each; "" when
 * there is none. Returns text. */
char *deviations_format(char *text, size_t size);

#endif
