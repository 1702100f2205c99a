/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published errata, and what else a processor is known to do wrong: one row each (errata.def), by
 * processor and by symptom. A finding that a row explains does not fail the test: it is an XFAIL
 * with the erratum's name, as long as it happens no more often than the row says.
 */
#ifndef KERNEL_REPORT_ERRATA_H
#define KERNEL_REPORT_ERRATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/cpu/identity/models.h"
#include "kernel/report/findings.h"
#include "kernel/report/test.h"

#define ERRATA_MAX       128u
#define ERRATA_TEXT_SIZE 256u

/* Whose erratum it is. */
enum erratum_owner {
    ERRATUM_OF_SILICON,    /* Intel processors, by core; not emulated ones */
    ERRATUM_OF_HYPERVISOR, /* every guest of the hypervisor named */
    ERRATUM_OF_ANY,        /* every processor: for self-tests */
};

/* The symptoms of errata: each says of a finding's numbers and circumstances whether it is one. */

/* Whether the numbers of a finding are those of the erratum; the kinds have been looked at. */
typedef bool erratum_symptom(const struct finding *finding);

#define SYMPTOM(name, condition) erratum_symptom symptom_##name;
#include "kernel/report/errata_symptoms.def"
#undef SYMPTOM

struct erratum {
    enum erratum_owner owner;
    uint64_t cores;           /* ON(): arch/cpu/identity/models.h */
    uint8_t steppings[2];     /* first and last */
    uint32_t microcode_fixed; /* this revision and later have it not; 0: all have it */
    const char *hypervisor;   /* as CPUID.40000000H names it */
    const char *tests;        /* glob of suite.test; NULL: all tests */
    uint64_t kinds;           /* 1 << FINDING_… */
    erratum_symptom *symptom;
    unsigned per_thousand; /* of what was compared, at most; 1000: as often as it likes; 0: it is no
                              excuse */
    bool always;           /* a test that tests names cannot pass */
    const char *id;        /* the first that was given it, in print */
    const char *effect, *source; /* for people */
};

/* Pure: whether the row is about this processor. A guest's microcode revision tells nothing. */
bool erratum_applies(const struct erratum *row, const struct cpu_identity *cpu);

/* Pure: whether the row explains the finding, on a processor that it is about. */
bool erratum_explains(const struct erratum *row, const struct finding *finding);

/* Pure: whether what the row explains does not fail the test. Else the row gives it a name alone.
 */
bool erratum_excuses(const struct erratum *row);

/* Pure: how often the symptom may show where so much was compared. */
uint64_t erratum_allows(const struct erratum *row, uint64_t compared);

/* Row number i of the table, or NULL beyond the last. */
const struct erratum *erratum_row(size_t i);

/*
 * The processor that errata_find() speaks of; it must stay. NULL (as at the start): no row
 * applies. Self-tests keep their rows in any case once a processor is set.
 */
void errata_select(const struct cpu_identity *cpu);

/* The number of the first row that explains the finding in this test, or ERRATA_MAX. Of several
 * with one id that excuse it is the first of these. */
size_t errata_find(const struct test *test, const struct finding *finding);

/* The row that says that the test cannot pass, or NULL. */
const struct erratum *errata_certain(const struct test *test);

/* The ids of the rows that apply but for self-tests', a space before each; "" when there is none.
 * Returns text. */
char *errata_format(char *text, size_t size);

/* So many findings by row, as "HSD53 x12 HSD1 x1". Returns text. */
char *errata_format_counts(const unsigned *counts, char *text, size_t size);

/* All that was explained since the start; one comment a row at the end of the log. */
void errata_count(size_t row, unsigned count);
const unsigned *errata_counts(void); /* ERRATA_MAX of them */
void errata_print_summary(void);

#endif
