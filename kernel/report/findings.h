/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A finding is one thing that a check found wrong, with a kind (findings.def) and the kind's
 * numbers. It fails the test, and is one line of the log in a format for programs:
 *     # finding: record.from slot=7 expected=0x… (symbol+0x2) got=0x… (symbol) previous=0x…
 */
#ifndef KERNEL_REPORT_FINDINGS_H
#define KERNEL_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one kind in a (sub)test; the others are counted. */
#define FINDING_SHOWN       3u
#define FINDING_SHOWN_ASKED 8u /* with log=trace */

/* Which numbers a kind has. */
#define HAS_SLOT          1u
#define HAS_VALUES        2u  /* expected and got */
#define HAS_ADDRESSES     4u  /* the same, with symbols */
#define HAS_EXPECTED_PAIR 8u  /* FROM and TO of a missing record */
#define HAS_GOT_PAIR      16u /* FROM and TO of an extra record */
#define HAS_PREVIOUS      32u

enum finding_kind {
#define FINDING(name, text, words, numbers) FINDING_##name,
#include "kernel/report/findings.def"
#undef FINDING
    FINDING_KINDS
};

/* Constants for the checks of kernel/report/test.h. */
enum {
#define FINDING(name, text, words, numbers) NUMBERS_OF_##name = (numbers),
#include "kernel/report/findings.def"
#undef FINDING
};

enum {
#define CIRCUMSTANCE(name, text, words) CIRCUMSTANCE_##name,
#include "kernel/report/findings.def"
#undef CIRCUMSTANCE
    CIRCUMSTANCES
};

/* UNDER(CROSSING): its bit in a finding. */
#define UNDER(name) (1u << CIRCUMSTANCE_##name)

struct finding {
    enum finding_kind kind;
    const char *where; /* what was checked, in words; NULL: the kind says it */
    bool bare;         /* it has no numbers */
    uint64_t slot;     /* number of the record or entry in the test */
    uint64_t expected, got;
    uint64_t expected_to, got_to; /* of a whole record, missing or extra */
    uint64_t previous;            /* the same field of the previous record */
    bool first;                   /* no previous record is known, so previous is invalid */
    unsigned under;               /* UNDER(…) */
    bool is_of_transfer;          /* `where` is a kind of transfer, and its rings are known */
    uint8_t from_ring, to_ring;
    bool same_record; /* as an earlier finding: its erratum is not counted again */
};

const char *finding_name(enum finding_kind kind);

/* What was found, in the plural: "branch records too many". */
const char *finding_words(enum finding_kind kind);

/* Of bit `number` of `under`; NULL past the last. */
const char *circumstance_name(unsigned number);

/* Of one that is there: "a counter's overflow is the cause". */
const char *circumstance_words(unsigned number);

/* The line after "# finding: ", cut to size; in its brief form addresses have no names, and a
 * transfer no addresses. Returns text. */
char *finding_format(const struct finding *finding, char *text, size_t size);
char *finding_format_brief(const struct finding *finding, char *text, size_t size);

/* Where the branch lies that a finding is about, by its FROM, or the address that is wrong. */
enum finding_place {
    PLACE_RING_0 = 1,
    PLACE_OTHER_RINGS = 2,
    PLACE_NONE = 4, /* it is about no branch of the program: an index, an interrupt */
};

enum finding_place finding_place(const struct finding *finding);

/* Whether `expected` and `got` are values, and no addresses. */
bool finding_has_values(const struct finding *finding);

/* Is it a problem of the test itself, which no erratum explains? */
bool finding_is_of_the_test(enum finding_kind kind);

/* A set of claim ids, in the order of addition. */

#define CLAIM_SET_COUNT 96u

struct claim_set {
    const char *ids[CLAIM_SET_COUNT]; /* strings that live as long as the kernel */
    size_t count;
};

/* Ignores ids already in the set, and more than CLAIM_SET_COUNT. */
void claim_set_add(struct claim_set *set, const char *id);
void claim_set_add_all(struct claim_set *set, const char *const *ids); /* NULL at the end */

/* Length of the id's family prefix, before its number: "T17-6." of "T17-6.4". */
size_t claim_family_length(const char *id);

/* The ids, each after a space: " BTS-5 T17-6.7". Returns text. */
char *claim_set_format(const struct claim_set *set, char *text, size_t size);

/* Writes the sentence of a claim, cut to size, or "" if there is none of this name. Returns text
 * (claim_text.c). */
char *claim_text(const char *id, char *text, size_t size);

/* tools/claims.toml as it is, terminating zero included (kernel/claim_table.S). */
extern const char claim_table[];

#endif
