/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/bts_check.h"

#include "arch/trace/debugctl.h"
#include "tests/spec/bts_predict.h"
#include "tests/spec/choices/transfer_choices.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/mode.h"
#include "tests/workloads/kinds/smi.h"

#define BYTES (BTS_LARGE_BYTES + 2 * PAGE_SIZE)

static uint8_t covered[BYTES / 8];     /* bytes from the base that a record covers, a bit each */
static uint8_t kept[BTS_BUFFER_BYTES]; /* see bts_keep_buffer() */

void bts_keep_buffer(void)
{
    __builtin_memcpy(kept, bts_records(), sizeof kept);
}

static bool is_covered(uint64_t byte)
{
    return byte < BYTES && covered[byte / 8] >> byte % 8 & 1;
}

/* Returns whether none of the record's bytes was covered before. */
static bool cover(const struct bts_prediction *p, uint64_t address)
{
    bool is_whole = true;

    for (uint64_t byte = address - p->store.base, end = byte + BTS_RECORD_SIZE; byte < end;
         byte++) {
        is_whole &= !is_covered(byte);
        if (byte < BYTES)
            covered[byte / 8] |= (uint8_t)(1u << byte % 8);
    }
    return is_whole;
}

/* Returns the number of the first record from which on all are whole, or dropped. */
static size_t cover_all(const struct bts_prediction *p)
{
    size_t first = p->expected->count;
    bool is_whole = true;

    __builtin_memset(covered, 0, sizeof covered);
    for (size_t i = p->expected->count; i-- > 0;) {
        is_whole &= !p->place[i] || cover(p, p->place[i]);
        if (is_whole)
            first = i;
    }
    return first;
}

static struct bts_record got[EXPECTED_MAX + 1];

/* The records in memory, oldest first, from number `first` on; those that are dropped come last. */
static size_t collect(const struct bts_prediction *p, size_t first)
{
    size_t count = 0;

    for (size_t i = first; i < p->expected->count; i++)
        if (p->place[i])
            got[count++] = *(const struct bts_record *)p->place[i];
    return count;
}

/* A difference breaks the row of Table 17-6 as well. */
static bool held_or_breaks(struct test_context *t, const struct bts_prediction *p, bool held,
                           const char *claim)
{
    if (held)
        return true;
    test_breaks(t, claim);
    test_breaks(t, mode_row_of(p->expected->debugctl)->claim);
    return false;
}

/* All that lies from the first index to the last one, where no record goes back to the base. */
static enum comparison compare_in_order(struct test_context *t, const struct bts_prediction *p,
                                        const struct observation *seen)
{
    uint64_t first = seen->before.area.bts_index, end = seen->after.area.bts_index;
    size_t count = end > first ? (end - first) / BTS_RECORD_SIZE : 0;

    return compare_records(t, p->expected, (const struct bts_record *)first,
                           count < EXPECTED_MAX ? count : EXPECTED_MAX);
}

/* Each where it goes, as far as no later one has overwritten it; those that are dropped are the
 * last. */
static enum comparison compare_in_place(struct test_context *t, const struct bts_prediction *p)
{
    size_t first = cover_all(p), count = collect(p, first);

    return compare_some(t, p->expected, first, first + count, got, count);
}

static enum comparison compare_stored(struct test_context *t, const struct bts_prediction *p,
                                      const struct observation *seen)
{
    if (bts_is_drained(p->run))
        return compare_records(t, p->expected, seen->records, seen->count);
    return bts_is_in_order(p, &seen->before.area) ? compare_in_order(t, p, seen)
                                                  : compare_in_place(t, p);
}

/* Are as many there as must be? What an erratum has altered is in its place then. */
static bool is_as_many(const struct bts_prediction *p, const struct observation *seen)
{
    uint64_t moved = seen->after.area.bts_index - seen->before.area.bts_index;

    if (bts_is_drained(p->run))
        return seen->count == p->expected->count;
    return !bts_is_in_order(p, &seen->before.area) || moved == p->expected->count * BTS_RECORD_SIZE;
}

static bool check_index(struct test_context *t, const struct bts_prediction *p, uint64_t index)
{
    const struct store *store = &p->store;
    bool is_circular = !(p->expected->debugctl & DEBUGCTL_BTINT);

    if (store->may_wrap && index == store->base) {
        if (is_circular)
            choice_learn(t, CHOICE_WRAP, VALUE_EAGER);
        return true;
    }
    if (store->may_wrap && is_circular && index == store->index)
        choice_learn(t, CHOICE_WRAP, VALUE_LAZY);
    return held_or_breaks(t, p,
                          EXPECT_EQUAL(t, INDEX, "BTS index, in bytes from the base",
                                       index - store->base, store->index - store->base),
                          is_circular ? "BTS-3" : "BTS-2");
}

static bool is_untouched(const struct bts_prediction *p, size_t start, size_t end)
{
    const uint8_t *base = (const uint8_t *)p->store.base;

    if (p->run->layout.records)
        return bts_bytes_are_poison(start, end);
    return __builtin_memcmp(base + start, kept + start, end - start) == 0;
}

/* Every byte of the buffer is as it was, but those of records. */
static bool is_rest_untouched(struct test_context *t, const struct bts_prediction *p, size_t end)
{
    size_t start = 0;

    for (size_t byte = 0; byte <= end; byte++) {
        if (byte < end && !is_covered(byte))
            continue;
        if (!is_untouched(p, start, byte))
            return FIND(t, STRAY_WRITE,
                        "a byte from %zu to %zu from the base was written, where no record goes",
                        start, byte - 1);
        start = byte + 1;
    }
    return true;
}

/* Records from the base to behind the last byte that one may have, by the widest reading. */
static size_t end_of_buffer(const struct bts_prediction *p)
{
    size_t end = (p->store.maximum - p->store.base) / BTS_RECORD_SIZE + 2;
    size_t room = (p->run->layout.large ? BTS_LARGE_RECORDS_MAX : BTS_RECORDS_MAX) + 1;

    return end < room ? end : room;
}

static bool check_memory(struct test_context *t, const struct bts_prediction *p, bool is_known)
{
    size_t end = end_of_buffer(p);
    bool held = expect_no_stray_write(t, end);

    if (is_known)
        held &= is_rest_untouched(t, p, end * BTS_RECORD_SIZE);
    return held_or_breaks(t, p, held, "BTS-8");
}

static bool find_interrupts(struct test_context *t, const struct bts_prediction *p,
                            const struct observation *seen)
{
    bool missing = p->extra == SIZE_MAX;
    const struct finding finding = {
        .kind = missing ? FINDING_PMI_MISSING : FINDING_PMI_EXTRA,
        .expected = missing ? seen->interrupts + 1 : p->extra,
        .got = seen->interrupts,
    };

    if (missing)
        return test_find_as(t, &finding, "%zu interrupts, and the threshold was reached once more",
                            seen->interrupts);
    return test_find_as(t, &finding, "interrupt %zu came with %zu records, threshold %zu", p->extra,
                        p->log->events[p->extra].index, p->run->layout.threshold);
}

/* An index that shows at the end has reached the threshold, though it might have gone back. */
static bool is_overdue(const struct bts_prediction *p, const struct observation *seen)
{
    const struct store *store = &p->store;
    bool shows = store->may_wrap && !p->is_open && seen->after.area.bts_index == store->index;

    return p->pending == YES || (p->pending == MAYBE && shows && store->asks_at_end);
}

static bool check_interrupts(struct test_context *t, const struct bts_prediction *p,
                             const struct observation *seen)
{
    bool as_due = p->extra == SIZE_MAX && !is_overdue(p, seen), is_masked = true;

    for (size_t i = 0; i < p->next; i++)
        is_masked &= EXPECT(t, PMI_LVT, p->log->events[i].lvt_masked,
                            "interrupt %zu left the LVT entry unmasked (F5.12)", i);
    if (!as_due)
        as_due = find_interrupts(t, p, seen);
    return held_or_breaks(t, p, as_due && is_masked,
                          p->store.threshold > p->store.maximum ? "BTS-4" : "BTS-5");
}

static bool was_filtered(const struct observation *seen)
{
    const struct facility *before = &seen->before.registers, *after = &seen->after.registers;
    bool frozen = (before->status | after->status) & PERF_GLOBAL_STATUS_LBR_FRZ;

    return may_be_filtered(before->select, frozen);
}

/* A freeze that clears TR (F7.13) ends recording at an instruction that nobody names. */
static bool was_ended_by_freeze(const struct run *run, const struct observation *seen)
{
    return freeze_may_clear(run->debugctl) & ~seen->debugctl_end & DEBUGCTL_TR;
}

static struct bts_prediction prediction_of(const struct run *run, const struct observation *seen)
{
    return (struct bts_prediction){.run = run, .program = seen->program, .log = seen->log};
}

static enum comparison check_records(struct test_context *t, struct bts_prediction *p,
                                     const struct observation *seen)
{
    enum comparison records = compare_stored(t, p, seen);

    held_or_breaks(t, p, records != UNLIKE, "BTS-1");
    return records;
}

enum comparison bts_check_records(struct test_context *t, const struct run *run,
                                  const struct observation *seen)
{
    struct bts_prediction p = prediction_of(run, seen);

    if (!bts_predict(t, &p, &seen->before.area))
        return UNLIKE;
    if (p.store.needs_limit || p.store.needs_full) /* not learnt, and not judged */
        return ALIKE_ALL;
    return check_records(t, &p, seen);
}

bool bts_check(struct test_context *t, const struct run *run, const struct observation *seen)
{
    struct bts_prediction p = prediction_of(run, seen);
    enum comparison records;
    bool held;

    if (!bts_is_judged(seen->program, run) || was_filtered(seen) ||
        smi_out != SMI_HARMLESS_PORT) /* RSM has tests of its own */
        return true;
    if (!bts_predict(t, &p, &seen->before.area))
        return false;
    if (bts_is_loose(&p, &seen->before.area) || was_ended_by_freeze(run, seen))
        return check_memory(t, &p, false);
    records = check_records(t, &p, seen);
    if (records == UNLIKE)
        check_memory(t, &p, false);
    if (records == UNLIKE || (p.is_open && !bts_predict(t, &p, &seen->before.area)))
        return false; /* predicted anew: more is learnt now */
    if (!is_as_many(&p, seen))
        return check_memory(t, &p, false);
    if (!bts_is_drained(run) && !check_index(t, &p, seen->after.area.bts_index))
        return false;
    cover_all(&p);
    held = check_memory(t, &p, !p.is_open && !seen->program->ahead);
    if (!run->armed && !bts_goes_on(run))
        held &= check_interrupts(t, &p, seen);
    return held;
}
