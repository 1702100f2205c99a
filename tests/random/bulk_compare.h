/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares records by the million with what a program in passes does. The interpreter advances from
 * record to record, and only the current position is kept. The functions log nothing, because the
 * interrupt's routine calls them. The comparison stops at the first difference.
 */
#ifndef TESTS_RANDOM_BULK_COMPARE_H
#define TESTS_RANDOM_BULK_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/bts.h"
#include "arch/trace/pmi.h"
#include "kernel/report/findings.h"
#include "tests/spec/expected.h"
#include "tests/random/generator.h"
#include "tests/random/interpreter.h"

/* The first record that is not what it must be. */
struct bulk_difference {
    bool found;
    enum finding_kind kind;
    bool after_crossing;          /* the transfer before `expected` changed ring */
    struct transfer expected;     /* kind TRANSFER_KINDS: no more records */
    struct bts_record got;        /* all 0: none. FINDING_INDEX, FINDING_PMI_PLACE: FROM is the
                                     index, the interrupted address */
    uint64_t previous;            /* FROM of the record before `got`; 0: unknown */
    uint64_t number, pass;        /* of the record and its pass in the run, from 0 */
    struct generated_state state; /* at the beginning of the pass */
};

/* The records around the difference, for the log. */
#define BULK_AROUND 64u
struct bulk_around {
    size_t before, count; /* correct records before the difference; all records */
    struct bts_record records[2 * BULK_AROUND];
};

struct bulk_compare {
    uint8_t stored[TRANSFER_KINDS][2][2]; /* enum maybe: does a transfer make a record? [kind][0][1]
                                             is of one from ring 0 to another ring */
    struct interpreter *in;
    uint64_t again;       /* the branch between two passes */
    uint64_t entry, iret; /* the interrupt's routine */
    struct transfer next; /* the next transfer, if is_ready */
    bool is_ready, has_ended;
    bool after_crossing;          /* the transfer before the next one changed ring */
    bool begins_pass;             /* the interpreter is at the beginning of a pass */
    bool in_place;                /* after an interrupt: the program has reached `place` */
    uint64_t place, last_to;      /* where the interrupt came; TO of the last transfer */
    uint8_t place_ring, int_from; /* ring at `place`; enum choice_value of CHOICE_FROM for INT n */
    struct generated_state state;
    uint64_t records, transfers, passes; /* records compared, transfers passed, passes ended */
    struct bulk_difference difference;
    struct bulk_around around;
};

/* Are all choices learnt that a comparison under this setting needs? */
bool bulk_compare_is_learnt(uint64_t debugctl);

/* Prepares for a run. */
void bulk_compare_begin(struct bulk_compare *c, const struct generated *program,
                        const struct generated_state *state, uint64_t debugctl);

/* Compares the next `count` records, oldest first. */
void bulk_compare_records(struct bulk_compare *c, const struct bts_record *records, size_t count);

/* Compares the records that an interrupt found in the buffer; the last may be that of its own
 * delivery. The record of its IRET is expected next. */
void bulk_compare_interrupt(struct bulk_compare *c, const struct pmi_event *event,
                            const struct bts_record *records);

/* The difference is an index that points at no record of the buffer. */
void bulk_compare_bad_index(struct bulk_compare *c, size_t index);

/* Call it when no more records come. A transfer without its record is then a difference. */
void bulk_compare_end(struct bulk_compare *c);

/* A circular buffer at the end of a run: what it must hold, and what it holds, oldest first. */
struct bulk_circle {
    struct expected expected;
    struct bts_record got[BTS_RECORDS_MAX + 1];
    size_t index; /* the expected index */
};

/* Interprets the whole run and compares its end with the buffer, which has room for `capacity`
 * records. Of the difference only `found` is set. */
void bulk_compare_circular(struct bulk_compare *c, const struct bts_record *slots, size_t capacity,
                           struct bulk_circle *circle);

#endif
