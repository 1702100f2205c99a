// SPDX-License-Identifier: GPL-2.0-or-later
/* What the fast path has settled beforehand, by what the model's own functions answer. */
#include "fast.h"

#include "arch_lbr.h"
#include "arch_lbr_info.h"
#include "bts.h"
#include "fast_path.h"
#include "lbr.h"
#include "lbr_format.h"
#include "ler.h"

#define FAR_LATER 0x7fffffffffffffffull

/* Whether the fast path is possible: no fault, no erratum, no counter that counts. A random choice
 * needs a decision for each branch, and some variations distinguish kinds. */
static bool is_plain(const struct ds_cpu *cpu)
{
    const struct ds_variation *variation = &cpu->variation;
    bool odd = variation->select_filters_bts || variation->ler_filtered ||
               variation->predicted == DS_PREDICTED_RANDOM;

    return cpu->profile.present && cpu->long_mode_active && !cpu->left_running &&
           !cpu->faults.some && !cpu->pmi_on_its_way && !ds_wants_instructions(cpu) && !odd &&
           __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

static struct ds_branch sample(unsigned cpl, enum ds_branch_kind kind)
{
    return (struct ds_branch){.old_cpl = (uint8_t)cpl, .new_cpl = (uint8_t)cpl, .kind = kind};
}

static void settle_store(const struct ds_cpu *cpu, unsigned cpl, struct ds_fast *fast)
{
    struct ds_branch any = sample(cpl, DS_BRANCH_CONDITIONAL);

    fast->stores = bts_takes(cpu, &any);
    fast->interrupts = bts_can_interrupt(cpu);
    fast->flags = cpu->variation.predicted == DS_PREDICTED_ON ? FLAGS_PREDICTED : 0;
}

/* The format is asked for entries of all ones, and of one thing each. */
static void settle_format(const struct ds_cpu *cpu, struct ds_fast *fast)
{
    struct lbr_entry all = lbr_format_entry(cpu, ~0ull, ~0ull, false, 0);
    struct lbr_entry wrong = lbr_format_entry(cpu, 0, 0, true, 0);
    struct lbr_entry one = lbr_format_entry(cpu, 0, 0, false, 1);
    struct lbr_entry most = lbr_format_entry(cpu, 0, 0, false, ~0ull);

    fast->from_bits = all.from;
    fast->to_bits = all.to;
    fast->from_flag = wrong.from;
    fast->info_flag = wrong.info;
    fast->to_cycle = one.to;
    fast->info_cycle = one.info;
    fast->cycles_most = one.to ? most.to / one.to : most.info;
}

/* The stack of the model's: false where a mode of it goes the long way. */
static bool settle_model(const struct ds_cpu *cpu, unsigned cpl, struct ds_fast *fast)
{
    settle_format(cpu, fast);
    fast->depth = (uint8_t)lbr_depth(&cpu->profile);
    for (unsigned kind = 0; kind < FAST_KINDS; kind++) {
        struct ds_branch branch = sample(cpl, kind);

        fast->recorded |= !lbr_is_suppressed(cpu, &branch) << kind;
    }
    return !lbr_is_call_stack(cpu);
}

static uint64_t tsc_of_newest(void *opaque)
{
    return ((const struct ds_cpu *)opaque)->lbr_tsc;
}

static uint64_t tsc_of_next(void *opaque)
{
    return tsc_of_newest(opaque) + 1;
}

static uint64_t tsc_far_later(void *opaque)
{
    return tsc_of_newest(opaque) + FAR_LATER;
}

/* INFO at a time. */
static uint64_t info_at(const struct ds_cpu *cpu, ds_fast_tsc tsc, enum ds_branch_kind kind,
                        bool mispredicted)
{
    struct ds_host host = {.tsc = tsc, .opaque = (void *)cpu};
    struct ds_branch branch = sample(0, kind);

    return arch_lbr_info(cpu, &host, &branch, mispredicted);
}

static void settle_info(const struct ds_cpu *cpu, struct ds_fast *fast)
{
    for (unsigned kind = 0; kind < FAST_KINDS; kind++) {
        fast->info[kind] = info_at(cpu, tsc_of_newest, kind, false);
    }
    fast->info_flag = info_at(cpu, tsc_of_newest, 0, true) ^ fast->info[0];
    fast->info_cycle = info_at(cpu, tsc_of_next, 0, false) - fast->info[0];
    fast->cycles_most = info_at(cpu, tsc_far_later, 0, false) - fast->info[0];
    fast->from_bits = fast->to_bits = ~0ull;
}

/* The architectural one: false where a CALL of the next instruction is no entry, as in call-stack
 * mode, where INFO is another with the next entry, and where more is in it than it has to tell. */
static bool settle_arch(const struct ds_cpu *cpu, unsigned cpl, struct ds_fast *fast)
{
    static const uint8_t none[sizeof(cpu->lbr_events)];

    settle_info(cpu, fast);
    fast->is_arch = true;
    fast->depth = (uint8_t)cpu->lbr_depth;
    for (unsigned kind = 0; kind < FAST_KINDS; kind++) {
        struct ds_branch branch = sample(cpl, kind);

        fast->recorded |= arch_lbr_includes(cpu, &branch) << kind;
    }
    return cpu->lbr_depth > 0 && cpu->lbr_timed && !cpu->variation.call_next_left_out &&
           !cpu->variation.lbr_undefined && !(cpu->lbr_control & LBR_CTL_CALL_STACK) &&
           memcmp(cpu->lbr_events, none, sizeof(none)) == 0;
}

void ds_fast_settle(const struct ds_cpu *cpu, unsigned cpl, struct ds_fast *fast)
{
    *fast = (struct ds_fast){.usable = FAST_PATH && is_plain(cpu)};
    if (!fast->usable) {
        return;
    }
    settle_store(cpu, cpl, fast);
    fast->remembers = lbr_is_on(cpu) || arch_lbr_is_on(cpu) || ler_wants_branches(cpu);
    if (arch_lbr_is_on(cpu)) {
        fast->usable = settle_arch(cpu, cpl, fast);
    } else if (lbr_is_on(cpu)) {
        fast->usable = settle_model(cpu, cpl, fast);
    }
}
