/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/reserved_bits.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "tests/spec/choices/write_outcome.h"

void reserved_bits_hold(struct test_context *t, struct reserved_bits *seen, const char *name,
                        unsigned bit, bool faulted)
{
    unsigned here = features_slot();
    uint64_t *now = faulted ? &seen->faulted[here] : &seen->dropped[here];
    const uint64_t *other = faulted ? &seen->dropped[here] : &seen->faulted[here];

    EXPECT(t, CHOICE, !(*other >> bit & 1), "reserved bit %u of %s: %s, but not every time", bit,
           name, write_outcome_text(faulted ? WRITE_FAULTED : WRITE_DROPPED));
    *now |= 1ull << bit;
}

/* Refused, nothing of the write may take effect; dropped, what stands beside the bit must. */
static void check_bit(struct test_context *t, struct reserved_bits *seen,
                      const struct reserved_register *in, unsigned bit, uint64_t beside)
{
    uint64_t before = read_ours(in->number), after, expected;
    enum write_outcome outcome =
        write_and_look(t, in->name, in->number, (before ^ beside) | 1ull << bit);

    after = read_ours(in->number);
    expected = outcome == WRITE_FAULTED ? before : before ^ beside;
    EXPECT(t, MSR_VALUE, after == expected,
           "reserved bit %u of %s, beside %#lx: %s, it is %#lx, expected %#lx", bit, in->name,
           beside, write_outcome_text(outcome), after, expected);
    if (after == expected)
        reserved_bits_hold(t, seen, in->name, bit, outcome == WRITE_FAULTED);
    if (after != before)
        write_and_look(t, in->name, in->number, before);
}

static void check_all(struct test_context *t, struct reserved_bits *seen,
                      const struct reserved_register *in)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(in->reserved >> bit & 1))
            continue;
        check_bit(t, seen, in, bit, 0);
        check_bit(t, seen, in, bit, in->legal);
    }
}

/* What sets a bit shows in a register that lacks it, what clears one in a register that has it. */
void reserved_bits_check(struct test_context *t, struct reserved_bits *seen,
                         const struct reserved_register *in)
{
    uint64_t before = read_ours(in->number);

    check_all(t, seen, in);
    write_and_look(t, in->name, in->number, before ^ in->legal);
    check_all(t, seen, in);
    write_and_look(t, in->name, in->number, before);
}

void reserved_bits_observe(struct test_context *t, const struct reserved_bits *seen,
                           const char *name)
{
    test_observe(t, "reserved bits of %s: %#lx raise #GP, %#lx are dropped", name,
                 seen->faulted[features_slot()], seen->dropped[features_slot()]);
}

void expect_absent_from_debugctl(struct test_context *t, uint64_t bit)
{
    uint64_t beside = debugctl_enumerated() & (DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR);
    char names[128];

    for (uint64_t subset = beside; subset; subset = (subset - 1) & beside) {
        debugctl_write_safe(subset | bit);
        EXPECT(t, MSR_ACCEPTS, !(debugctl_read() & bit),
               "%s can be set together, although one of them is not enumerated",
               debugctl_format(subset | bit, names, sizeof names));
        debugctl_clear();
    }
}

bool skipped_as_not_lent(struct test_context *t, enum feature feature)
{
    if (trace_not_lent(feature))
        test_skip_without(t, feature);
    return trace_not_lent(feature);
}
