/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/readings.h"

#include "arch/trace/debugctl.h"
#include "arch/trace/ds.h"

/* [0] BTS_OFF_OS set, [1] BTS_OFF_USR set, [2] neither */
static enum reading_crossing crossings[3][TRANSFER_KINDS];
static enum reading_from from_readings[TRANSFER_KINDS];
static enum reading_limit limit_reading;
static enum reading_wrap wrap_reading;
static enum reading_full full_reading;

static enum reading_crossing *crossing_slot(uint64_t debugctl, uint32_t kind)
{
    unsigned row = debugctl & DEBUGCTL_BTS_OFF_OS ? 0 : debugctl & DEBUGCTL_BTS_OFF_USR ? 1 : 2;

    return &crossings[row][kind];
}

enum reading_crossing reading_of_crossing(uint64_t debugctl, uint32_t kind)
{
    return *crossing_slot(debugctl, kind);
}

void reading_learn_crossing(struct test_context *t, uint64_t debugctl, uint32_t kind, bool stored)
{
    *crossing_slot(debugctl, kind) = stored ? CROSSING_STORED : CROSSING_NOT_STORED;
    if (!(debugctl & (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)))
        test_observe(t, "the record of the %s is %s", transfer_kind_name(kind),
                     stored ? "stored" : "not stored");
    else
        test_observe(t, "with %s set, the record of the ring change by %s is %s",
                     debugctl & DEBUGCTL_BTS_OFF_OS ? "BTS_OFF_OS" : "BTS_OFF_USR",
                     transfer_kind_name(kind), stored ? "stored" : "not stored");
}

enum reading_from reading_of_from(uint32_t kind)
{
    bool follows_int = kind == TRANSFER_INT3 || kind == TRANSFER_INTO;

    if (follows_int && from_readings[TRANSFER_INT] == FROM_INSTRUCTION)
        return FROM_INSTRUCTION;
    return from_readings[kind];
}

void reading_learn_from(struct test_context *t, uint32_t kind, enum reading_from reading)
{
    const char *next =
        kind == TRANSFER_ABORT ? "beginning of the transaction" : "instruction after it";

    from_readings[kind] = reading;
    test_observe(t, "FROM of %s is the %s", transfer_kind_name(kind),
                 reading == FROM_INSTRUCTION ? "instruction itself" : next);
}

enum reading_limit reading_of_limit(void)
{
    return limit_reading;
}

void reading_learn_limit(struct test_context *t, enum reading_limit reading)
{
    static const char *const texts[] = {
        [LIMIT_UNSEEN] = "never",
        [LIMIT_INDEX_BELOW_MAXIMUM] = "while the index is below the absolute maximum",
        [LIMIT_RECORD_FITS] = "while it ends at or below the absolute maximum",
        [LIMIT_RECORD_FITS_STRICTLY] = "while it ends below the absolute maximum",
    };

    limit_reading = reading;
    test_observe(t, "a record is stored %s", texts[reading]);
}

size_t reading_capacity(enum reading_limit reading, size_t records, bool maximum_plus_one)
{
    switch (reading) {
    case LIMIT_INDEX_BELOW_MAXIMUM:
        return records + maximum_plus_one;
    case LIMIT_RECORD_FITS_STRICTLY:
        return records - 1 + maximum_plus_one;
    default:
        return records;
    }
}

enum reading_wrap reading_of_wrap(void)
{
    return wrap_reading;
}

void reading_learn_wrap(struct test_context *t, enum reading_wrap reading)
{
    wrap_reading = reading;
    test_observe(t, "the index of a circular buffer goes back to the base %s",
                 reading == WRAP_EAGER ? "right after the last record" : "with the next record");
}

enum reading_full reading_of_full(void)
{
    return full_reading;
}

void reading_learn_full(struct test_context *t, enum reading_full reading)
{
    full_reading = reading;
    test_observe(t, "with BTINT set, records past a full buffer %s",
                 reading == FULL_DROPS ? "are dropped" : "start again at the base");
}
