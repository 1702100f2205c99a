// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fast path does for a near branch what ds_branch() would do, with all decisions made
 * beforehand. ds_fast_settle() asks the model's own functions once. From then on ds_fast_branch()
 * handles the near branches of one ring of 64-bit mode, until anything else happens. It does all
 * that ds_branch() does, or nothing; it leaves rare cases to ds_branch(): faults, errata, counters,
 * both ends of the buffer, the threshold.
 */
#ifndef FAST_H
#define FAST_H

#include <string.h>

#include "debug_store.h"
#include "predictor.h"

#define FAST_KINDS  DS_BRANCH_FAR /* the near kinds come first in the enum */
#define FAST_RECORD 24            /* bytes of a record in the 64-bit layout (F3.10) */

struct ds_fast {
    bool usable;

    bool stores;     /* the branch goes into the branch trace store, as the next two members say */
    bool interrupts; /* a record that reaches the threshold interrupts */
    uint64_t flags;  /* flags of a predicted branch */

    bool is_arch;                  /* the stack of last branches is the architectural one */
    bool remembers;                /* keeps the branch for the last exception record */
    uint8_t depth;                 /* of the stack, at most DS_LBR_DEPTH_MAX */
    uint8_t recorded;              /* a bit for each kind that the stack records */
    uint64_t from_bits, to_bits;   /* the bits of an address that an entry keeps */
    uint64_t from_flag, info_flag; /* set for a mispredicted branch */
    uint64_t info[FAST_KINDS];     /* the rest of INFO, by kind */
    uint64_t to_cycle, info_cycle; /* added to TO and to INFO for each cycle since the newest entry,
                                      for cycles_most at most */
    uint64_t cycles_most;          /* 0: entries have no cycles */
};

/* Decides what near branches at this CPL do in the processor's present state. */
void ds_fast_settle(const struct ds_cpu *cpu, unsigned cpl, struct ds_fast *fast);

/* Returns the host's address of the `size` bytes at `linear`. Returns NULL if a load or store there
 * in ring 0 could do more than access memory, for example fault. */
typedef uint8_t *(*ds_fast_find)(void *opaque, uint64_t linear, size_t size);

typedef uint64_t (*ds_fast_tsc)(void *opaque);

#define FAST_PART static inline __attribute__((always_inline))

/* Where the next record and the index are, and the index's next value. */
struct fast_place {
    uint8_t *record, *index;
    uint64_t next;
};

/*
 * Finds where the next record goes. Returns false where ds_branch() may have to do more than store:
 * if two records or fewer fit below the maximum (the manual leaves open how many fit: F3.22), and
 * from the threshold on.
 */
FAST_PART bool fast_find_place(const struct ds_cpu *cpu, const struct ds_fast *fast,
                               ds_fast_find find, void *opaque, struct fast_place *place)
{
    uint64_t base_index_maximum_threshold[4], index, maximum;
    uint8_t *area = find(opaque, cpu->ds_area, sizeof(base_index_maximum_threshold));

    if (!area) {
        return false;
    }
    memcpy(base_index_maximum_threshold, area, sizeof(base_index_maximum_threshold));
    index = base_index_maximum_threshold[1];
    maximum = base_index_maximum_threshold[2];
    place->next = index + FAST_RECORD;
    place->index = area + sizeof(index);
    if (index >= maximum || maximum - index <= 2 * FAST_RECORD ||
        (fast->interrupts && place->next >= base_index_maximum_threshold[3])) {
        return false;
    }
    place->record = find(opaque, index, FAST_RECORD);
    return place->record;
}

/* Writes the record before the index, so that all records below a visible index are visible. */
FAST_PART void fast_store(struct ds_cpu *cpu, const struct ds_fast *fast,
                          const struct fast_place *place, const struct ds_branch *branch,
                          bool predicted)
{
    uint64_t record[3] = {branch->from, branch->to, predicted ? fast->flags : 0};

    memcpy(place->record, record, sizeof(record));
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(place->index, &place->next, sizeof(place->next));
    cpu->threshold_met = false;
}

/* Does the same as predict() in events.c. */
FAST_PART bool fast_predict(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool known = predictor_learn(cpu, branch), follows = predictor_follow(cpu, branch);

    cpu->branch_reported = true;
    cpu->branch_from = branch->from;
    cpu->branch_mispredicted = !(known && follows);
    cpu->branch_kind = branch->kind;
    return known && follows;
}

/* Entry 0 of the architectural stack is the newest: moves the others down. */
FAST_PART void fast_make_room(struct ds_cpu *cpu, size_t depth)
{
    memmove(cpu->lbr_from + 1, cpu->lbr_from, (depth - 1) * sizeof(uint64_t));
    memmove(cpu->lbr_to + 1, cpu->lbr_to, (depth - 1) * sizeof(uint64_t));
    memmove(cpu->lbr_info + 1, cpu->lbr_info, (depth - 1) * sizeof(uint64_t));
}

FAST_PART void fast_record_last(struct ds_cpu *cpu, const struct ds_fast *fast,
                                const struct ds_branch *branch, bool predicted, uint64_t now)
{
    uint64_t since = now - cpu->lbr_tsc;
    uint64_t cycles = since < fast->cycles_most ? since : fast->cycles_most;
    uint64_t flag = predicted ? 0 : fast->info_flag;
    uint64_t info = (fast->info[branch->kind] | flag) + cycles * fast->info_cycle;
    size_t place = 0;

    if (fast->remembers) {
        cpu->last_from = branch->from;
        cpu->last_to = branch->to;
        cpu->last_info = fast->is_arch ? info : 0;
    }
    if (!(fast->recorded >> branch->kind & 1)) {
        return;
    }
    if (fast->is_arch) {
        fast_make_room(cpu, fast->depth);
    } else {
        place = cpu->lbr_top + 1 < fast->depth ? cpu->lbr_top + 1 : 0;
        cpu->lbr_top = place;
    }
    cpu->lbr_from[place] = (branch->from & fast->from_bits) | (predicted ? 0 : fast->from_flag);
    cpu->lbr_to[place] = (branch->to & fast->to_bits) + cycles * fast->to_cycle;
    cpu->lbr_info[place] = info;
    cpu->lbr_tsc = now;
}

/* Returns whether the branch was handled. branch: only from, to and kind are used. */
FAST_PART bool ds_fast_branch(struct ds_cpu *cpu, const struct ds_fast *fast,
                              const struct ds_branch *branch, ds_fast_find find, ds_fast_tsc tsc,
                              void *opaque)
{
    struct fast_place place;
    bool predicted;

    if (fast->stores && !fast_find_place(cpu, fast, find, opaque, &place)) {
        return false;
    }
    predicted = fast_predict(cpu, branch);
    if (fast->remembers) { /* true whenever a stack records */
        fast_record_last(cpu, fast, branch, predicted, fast->cycles_most ? tsc(opaque) : 0);
    }
    if (fast->stores) {
        fast_store(cpu, fast, &place, branch, predicted);
    }
    return true;
}

#endif
