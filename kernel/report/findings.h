/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A finding: one thing that a check found wrong, of a kind (findings.def), with the numbers that
 * belong to the kind. It fails the test, and it is one line of the log that a program can read:
 *     # finding: record.from slot=7 expected=0x… (symbol+0x2) got=0x… (symbol) previous=0x…
 */
#ifndef KERNEL_REPORT_FINDINGS_H
#define KERNEL_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FINDING_SHOWN 8u /* of one kind in one test or subtest; the others are counted */

/* The numbers of a kind. */
#define HAS_SLOT          1u
#define HAS_VALUES        2u  /* expected and got */
#define HAS_ADDRESSES     4u  /* the same, with the symbols that they lie behind */
#define HAS_EXPECTED_PAIR 8u  /* FROM and TO of a record that is not there */
#define HAS_GOT_PAIR      16u /* FROM and TO of a record that nothing explains */
#define HAS_PREVIOUS      32u

enum finding_kind {
#define FINDING(name, text, numbers) FINDING_##name,
#include "kernel/report/findings.def"
#undef FINDING
    FINDING_KINDS
};

/* Known when compiling, for the checks of kernel/report/test.h. */
enum {
#define FINDING(name, text, numbers) NUMBERS_OF_##name = (numbers),
#include "kernel/report/findings.def"
#undef FINDING
};

enum {
#define CIRCUMSTANCE(name, text) CIRCUMSTANCE_##name,
#include "kernel/report/findings.def"
#undef CIRCUMSTANCE
    CIRCUMSTANCES
};

/* UNDER(CROSSING): its bit in a finding. */
#define UNDER(name) (1u << CIRCUMSTANCE_##name)

struct finding {
    enum finding_kind kind;
    const char *where; /* what was looked at, in words; NULL: the kind says it all */
    bool bare;         /* no numbers are known beside it */
    uint64_t slot;     /* the record's or entry's number, as the test counts them */
    uint64_t expected, got;
    uint64_t expected_to, got_to; /* a whole record that is missing, or one too many */
    uint64_t previous;            /* what stood in the same field of the record before */
    bool first;                   /* there was none before, or it is not known */
    unsigned under;               /* UNDER(…) */
    bool same_record; /* as a finding before: an erratum that explains it has not shown again */
};

const char *finding_name(enum finding_kind kind);

/* The line behind "# finding: "; cut where it does not fit. Returns text. */
char *finding_format(const struct finding *finding, char *text, size_t size);

/* Trouble of the test itself, of which no erratum says anything. */
bool finding_is_of_the_test(enum finding_kind kind);

/* A set of claim ids, in the order in which they were first added. */

#define CLAIM_SET_COUNT 96u

struct claim_set {
    const char *ids[CLAIM_SET_COUNT]; /* strings that live as long as the kernel */
    size_t count;
};

/* Twice the same is once; beyond CLAIM_SET_COUNT nothing is added. */
void claim_set_add(struct claim_set *set, const char *id);
void claim_set_add_all(struct claim_set *set, const char *const *ids); /* NULL at the end */

/* The characters of an id before its number, "T17-6." of "T17-6.4": what its family has in common.
 */
size_t claim_family_length(const char *id);

/* The ids with a space before each: " BTS-5 T17-6.7". Returns text. */
char *claim_set_format(const struct claim_set *set, char *text, size_t size);

#endif
