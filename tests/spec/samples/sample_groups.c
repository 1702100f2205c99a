/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sample_groups.h"

#include "arch/cpu/traps/simd.h"
#include "arch/trace/lbr.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/workloads/kinds/registers.h"

static uint64_t xmm_value(unsigned number, unsigned half)
{
    return 0x1122334400000000 + 0x10001 * number + (half ? 0x5500000000000000 : 0);
}

void sample_load_xmm(void)
{
    uint64_t values[XMM_COUNT][2];

    for (unsigned i = 0; i < XMM_COUNT; i++)
        for (unsigned half = 0; half < 2; half++)
            values[i][half] = xmm_value(i, half);
    xmm_begin(values);
}

static bool check_xmm(struct test_context *t, const struct pebs_record *record)
{
    for (unsigned i = 0; record->has_xmm && i < XMM_COUNT; i++)
        for (unsigned half = 0; half < 2; half++)
            if (!EXPECT(t, PEBS_XMM, record->xmm[i][half] == xmm_value(i, half),
                        "XMM%u[%u:%u] in the record: expected %#lx, got %#lx", i, 64 * half + 63,
                        64 * half, xmm_value(i, half), record->xmm[i][half]))
                return false;
    return true;
}

/* The jump whose instruction this is, or the next one after an instruction that is none. */
static size_t jump_at(size_t cause)
{
    for (size_t jump = 0; jump < REGISTERS_STEPS; jump++)
        if (registers_truth[jump].from >= register_states[cause].ip)
            return jump;
    return REGISTERS_STEPS;
}

static struct lbr_entry entry_of(const struct pebs_record *record, size_t number)
{
    const struct lbr_raw raw = {.from = record->lbr[number].from,
                                .to = record->lbr[number].to,
                                .info = record->lbr[number].info};

    return lbr_decode(lbr_format(), &raw);
}

/*
 * The last jump that must be in it. Whether one that caused the record is in it already is learnt
 * from the first such record.
 */
static size_t newest_jump(struct test_context *t, const struct pebs_record *record, size_t cause)
{
    size_t jump = jump_at(cause);

    if (registers_truth[jump].from != register_states[cause].ip)
        return jump - 1;
    if (choice_of(CHOICE_PEBS_NEWEST) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_PEBS_NEWEST,
                     entry_of(record, 0).from == registers_truth[jump].from ? VALUE_ITSELF
                                                                            : VALUE_ONE_BEFORE);
    return choice_of(CHOICE_PEBS_NEWEST) == VALUE_ITSELF ? jump : jump - 1;
}

/* Newest first (F3.46), as far as the steps go back. */
static bool check_lbrs(struct test_context *t, const struct pebs_record *record, size_t cause)
{
    size_t newest;

    if (!record->lbr_count)
        return true;
    newest = newest_jump(t, record, cause);
    for (size_t i = 0; i < record->lbr_count && i <= newest; i++) {
        const struct transfer *jump = &registers_truth[newest - i];
        struct lbr_entry entry = entry_of(record, i);

        if (!EXPECT(t, PEBS_LBR, entry.from == jump->from && entry.to == jump->to,
                    "LBR entry %zu in the record: expected %pS -> %pS, got %pS -> %pS", i,
                    (void *)jump->from, (void *)jump->to, (void *)entry.from, (void *)entry.to))
            return false;
    }
    return true;
}

void sample_check_groups(struct test_context *t, const struct sampling *sampling)
{
    struct pebs_record record;

    for (size_t slot = 0; slot < sampling->index && !test_has_failed(t); slot++) {
        sampling_decode(slot, &record);
        check_xmm(t, &record);
        check_lbrs(t, &record, sample_cause_of_record(&record));
    }
}
