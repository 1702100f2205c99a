/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One BTS buffer, record by record: where each record goes, what the index is then, and whether the
 * interrupt is due. The fields are linear addresses and need not lie at a record's boundary,
 * because the manual defines them by arithmetic (F3.22, F5.1). Open points are asked of the
 * choices.
 */
#ifndef TESTS_SPEC_STORE_H
#define TESTS_SPEC_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/ds.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/maybe.h"

/* How this processor reads what is open; kept here because it is asked for with each record. */
struct store_readings {
    enum choice_value limit, full, wrap, btint; /* CHOICE_LIMIT and so on */
};

struct store {
    uint64_t base, index, maximum, threshold;
    struct store_readings as;
    bool reached;  /* a record reached the threshold since the fields were written */
    bool may_wrap; /* the index stands at the end, or is back at the base already (F3.25a, F5.5) */
    bool asks_at_end; /* where it stands at the end, the interrupt is due */
    bool
        needs_full; /* a full buffer met a record, and whether it drops that is not learnt (F5.5) */
    bool needs_limit; /* whether a record had room depends on a reading not learnt (F3.22) */
};

/* The buffer of these fields, with what is learnt by now. */
struct store store_of(const struct ds_management_area *area);
struct store_readings store_readings(void);

/* Is there room for a record at the index? */
bool store_has_room(const struct store *store);

/* How many records fit from the base on, by a reading of the absolute maximum: CHOICE_LIMIT. */
size_t store_capacity_by(const struct store *store, enum choice_value limit);

/* Stores a record under this value of IA32_DEBUGCTL. Returns its address, or 0 if it is dropped.
 * *asks: does it ask for the interrupt? */
uint64_t store_add(struct store *store, uint64_t debugctl, enum maybe *asks);

#endif
