/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published errata and other known defects of processors, one row each with processors and symptom
 * (errata.def). A finding that a row explains does not fail the test, but makes it an XFAIL with
 * the erratum's name, unless it happens more often than the row says.
 */
#ifndef KERNEL_REPORT_ERRATA_H
#define KERNEL_REPORT_ERRATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/cpu/identity/models.h"
#include "kernel/report/test.h"

#define ERRATA_MAX       128u
#define ERRATA_TEXT_SIZE 256u

/* Whose erratum it is. */
enum erratum_owner {
    ERRATUM_OF_SILICON,    /* Intel processors by core, not emulated ones */
    ERRATUM_OF_HYPERVISOR, /* every guest of the named hypervisor */
    ERRATUM_OF_ANY,        /* every processor: for self-tests */
};

/* Symptoms of errata. Each function decides by the numbers and circumstances of a finding. */

/* Is the finding this symptom? The kind was checked before. */
typedef bool erratum_symptom(const struct finding *finding);

#define SYMPTOM(name, condition) erratum_symptom symptom_##name;
#include "kernel/report/errata_symptoms.def"
#undef SYMPTOM

struct erratum {
    enum erratum_owner owner;
    uint64_t cores;           /* ON(): arch/cpu/identity/models.h */
    uint8_t steppings[2];     /* the first and the last that have it */
    uint32_t microcode_fixed; /* fixed from this microcode revision on; 0: never */
    const char *hypervisor;   /* as CPUID.40000000H names it */
    const char *tests;        /* glob of suite.test; NULL: all tests */
    uint64_t kinds;           /* 1 << FINDING_… */
    erratum_symptom *symptom;
    unsigned per_thousand;       /* of what was compared, at most; 1000: no limit; 0: no excuse */
    bool always;                 /* the named tests cannot pass */
    const char *id;              /* its first published id */
    const char *effect, *source; /* for people */
};

/* Pure: does the row apply to this processor? Ignores a guest's microcode revision. */
bool erratum_applies(const struct erratum *row, const struct cpu_identity *cpu);

/* Pure: does the row, if it applies, explain the finding? */
bool erratum_explains(const struct erratum *row, const struct finding *finding);

/* Pure: does the row excuse what it explains? If not, it only names the finding. */
bool erratum_excuses(const struct erratum *row);

/* Pure: how often the symptom may show among `compared` comparisons. */
uint64_t erratum_allows(const struct erratum *row, uint64_t compared);

/* Row `i` of the table, or NULL past the last. */
const struct erratum *erratum_row(size_t i);

/*
 * Sets the processor for errata_find(); cpu must stay valid. NULL (the default): no row applies.
 * Rows of self-tests apply once any processor is set.
 */
void errata_select(const struct cpu_identity *cpu);

/* Number of the first row that explains the finding in this test, or ERRATA_MAX. If that row
 * excuses the finding, returns instead the first row of its id, for which the finding is counted.
 */
size_t errata_find(const struct test *test, const struct finding *finding);

/* The row by which the test cannot pass, or NULL. */
const struct erratum *errata_certain(const struct test *test);

/* The ids of rows that apply, except self-tests', each after a space; "" if there is none. Returns
 * text. */
char *errata_format(char *text, size_t size);

/* Counts of findings by row, "HSD53 x12 HSD1 x1". Returns text. */
char *errata_format_counts(const unsigned *counts, char *text, size_t size);

/* Counts of explained findings since boot. errata_print_summary() prints them, a comment for each
 * row. */
void errata_count(size_t row, unsigned count);
const unsigned *errata_counts(void); /* ERRATA_MAX counts */
void errata_print_summary(void);

#endif
