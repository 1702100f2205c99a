/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is broken, in short. Every check that failed, and every one that held, is counted by the
 * conditions under which it was made. At the end of a test, and of the run, what the findings of a
 * kind have in common is told, without what keeps out little that is right:
 *   # broken: branch records too many: 1106 (record.extra), all from ring 0, with BTS=1
 *   BTS_OFF_OS=1 BTS_OFF_USR=0; held there: 195, elsewhere: 64922
 * and the claims that explain most failures. Fixed room, no allocation. Pure.
 */
#ifndef KERNEL_REPORT_SUMS_H
#define KERNEL_REPORT_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/findings.h"

#define SUMS_CELLS  16384u /* different conditions, a power of two */
#define SUMS_NAMES  128u   /* suites and kinds of transfer */
#define SUMS_SETS   256u   /* different sets of claims that broke together */
#define SUMS_PLACES 6u     /* of a kind of finding; others are counted */
#define SUMS_WEIGHT 4096u  /* sixteen times that of a failure alone in its test */
#define SUMS_LINE   400u   /* bytes of a line, terminating zero included */
#define RING_HIDDEN 4u     /* of a check that is not about a transfer */

/* Conditions of a run. A (sub)test has them from its run on until the next one. */
struct run_conditions {
    uint64_t debugctl;   /* while the program runs */
    bool changes;        /* … at first: the program writes it */
    const char *program; /* its name, or NULL */
    size_t records;      /* of the branch trace store buffer; 0: there is none of the run */
    size_t threshold;    /* records up to it, or none if it is greater than `records` */
    unsigned causes;     /* PMI_CAUSE_… that are armed */
};

struct sums_key {
    uint32_t under;    /* UNDER(…) of the whole (sub)test */
    uint16_t debugctl; /* bits 15:0 of the run */
    uint8_t kind;      /* enum finding_kind */
    uint8_t suite;     /* a number for a name, like the next */
    uint8_t transfer;  /* 0: the check is not about a transfer */
    uint8_t from, to;  /* rings of the transfer, or RING_HIDDEN */
    uint8_t causes;    /* of the run */
    uint8_t has_run;   /* the check is about a run */
    uint8_t unused[3];
};

struct sums_cell {
    struct sums_key key;
    uint32_t wrong, right; /* checks; both 0: a free cell */
};

struct sums_set {
    uint64_t claims[2]; /* bits, by their numbers */
    uint32_t failures;  /* (sub)tests */
    uint64_t weight;    /* of all of them: parts of one test count less than as many tests */
};

/* What the findings of a kind say of themselves. */
struct sums_seen {
    struct sums_place {
        char where[48];
        uint32_t times;
    } places[SUMS_PLACES]; /* as they came */
    uint32_t elsewhere;
    uint32_t with_values;   /* findings that have some */
    bool is_alike;          /* … all of them these: */
    bool is_shifted;        /* small ones, all by the same difference */
    uint64_t expected, got; /* of the first */
    uint64_t lost, gained;  /* bits missing in each, bits too many in each */
};

struct sums {
    struct sums_seen seen[FINDING_KINDS];
    struct sums_cell cells[SUMS_CELLS];
    struct sums_set sets[SUMS_SETS];
    uint32_t lost; /* cells and sets without room */
};

struct sums_of_run {
    struct sums sums;
    const char *names[SUMS_NAMES]; /* from 1 on */
    const char *claims[CLAIM_SET_COUNT];
    size_t claim_count;
};

/* Numbers of names; 0 for NULL, and when there is no room. The text must stay valid. */
uint8_t sums_name(const char *name);

/* Count checks. Which kinds of finding a check would have had if it failed, its key's kind says. */
void sums_count(const struct sums_key *key, uint32_t wrong, uint32_t right);

/* Keeps what a finding says of itself. */
void sums_found(const struct finding *finding);

/* Counts a (sub)test that failed with these claims. */
void sums_failure(const struct claim_set *broken);

/* What is counted belongs to one test until it is kept; it is forgotten when the next begins. */
void sums_begin(void);
void sums_keep(void);

const struct sums_of_run *sums_of_run(void);
const struct sums *sums_of_test(void); /* before it is kept */

/* Adds another processor's. */
void sums_add_all(const struct sums_of_run *its);

/* The kind under which a check that held is counted: a record that is there and right is so for
 * findings of a missing and of an altered one. */
enum finding_kind sums_population(enum finding_kind kind);

/* Prints "# broken: …" for each line, at the end of the run. Until then there are no lines. */
void sums_print(void);

/* Line i, from 0: those of kinds of finding, the most frequent first, then those of claims; NULL
 * past the last. sums_kinds(): how many are of kinds. */
const char *sums_line(size_t i);
size_t sums_kinds(void);

/* What is broken in the test that is not kept yet: the line of its most frequent kind, or "" if it
 * has one finding at most, which says as much. */
void sums_line_of_test(char text[SUMS_LINE]);

/* Claim i, from 0, as sums_print() ranked them: those that explain most, then the others, the most
 * frequent first; NULL past the last. */
const char *sums_claim(size_t i);

/* For sums_lines.c: ranks the claims that broke; writes line i of claims, or returns false. */
void sums_rank_claims(void);
bool sums_line_of_claim(size_t i, char text[SUMS_LINE]);

/*
 * The search for conditions (sums_search.c), for sums_lines.c. What a check may depend on: bits of
 * IA32_DEBUGCTL, of causes and of circumstances follow each other.
 */
#define SUMS_DEBUGCTL 16u /* bits */
#define SUMS_CAUSES   4u

enum sums_dimension {
    OF_FROM,
    OF_TO,
    OF_CROSSING,
    OF_TRANSFER,
    OF_SUITE,
    OF_DEBUGCTL,
    OF_CAUSES = OF_DEBUGCTL + SUMS_DEBUGCTL,
    OF_UNDER = OF_CAUSES + SUMS_CAUSES,
    SUMS_DIMENSIONS = OF_UNDER + 32,
};

struct sums_values {
    uint64_t bits[SUMS_NAMES / 64];
};

struct sums_search {
    const struct sums *in;
    enum finding_kind kind;
    uint16_t cells[SUMS_CELLS]; /* numbers of those of the kind */
    unsigned cell_count, wrong_cells;
    uint64_t wrong, right; /* checks */
    struct {
        uint32_t wrong[SUMS_NAMES], right[SUMS_NAMES];
    } counts[SUMS_DIMENSIONS];                 /* the same by value */
    struct sums_values found[SUMS_DIMENSIONS]; /* values of findings, without echoes */
    bool is_chosen[SUMS_DIMENSIONS];           /* the conditions */
};

/* Finds the conditions under which most findings of the kind lie, those alone that tell. */
void sums_find_conditions(struct sums_search *search, const struct sums *in,
                          enum finding_kind kind);

/* Checks where all conditions are met, those that were wrong or those that were right. */
uint64_t sums_there(const struct sums_search *search, bool wrong);

/* What findings say of themselves (sums_seen.c): adds one, adds another sum, puts it in words. */
void sums_see(struct sums_seen *seen, const struct finding *finding);
void sums_see_again(struct sums_seen *to, const struct sums_seen *from);
void sums_say_seen(char text[SUMS_LINE], const struct sums_search *search);

/* The value in a dimension of a check of which it is not known. */
unsigned sums_unknown(unsigned dimension);

bool sums_has_value(const struct sums_values *values, unsigned value);
unsigned sums_count_values(const struct sums_values *values);
unsigned sums_first_value(const struct sums_values *values); /* SUMS_NAMES if there is none */

#endif
