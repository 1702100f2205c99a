// SPDX-License-Identifier: GPL-2.0-or-later
/* Seams of the architectural stack: filters, entries, IA32_LBR_DEPTH, INFO. */

#include <string.h>

#include "../arch_lbr_info.h"
#include "../global_status.h"
#include "../opcode.h"
#include "seams.h"

#define JCC           (1ull << 16)
#define JMP_RELATIVE  (1ull << 17)
#define JMP_INDIRECT  (1ull << 18)
#define CALL_RELATIVE (1ull << 19)
#define CALL_INDIRECT (1ull << 20)
#define RET           (1ull << 21)
#define OTHER         (1ull << 22)
#define RINGS         (LBR_CTL_OS | LBR_CTL_USR)

#define IRET 0xcf /* its opcode */

/* Filter bits that are taken for set, or for clear, whatever they are. */
static const struct {
    enum fault fault;
    uint64_t set, clear;
} stuck[] = {
    {FAULT_ARCH_LBR_JCC_NEVER, 0, JCC},
    {FAULT_ARCH_LBR_JMP_NEVER, 0, JMP_RELATIVE},
    {FAULT_ARCH_LBR_JMP_INDIRECT_NEVER, 0, JMP_INDIRECT},
    {FAULT_ARCH_LBR_CALL_NEVER, 0, CALL_RELATIVE},
    {FAULT_ARCH_LBR_CALL_INDIRECT_NEVER, 0, CALL_INDIRECT},
    {FAULT_ARCH_LBR_RET_NEVER, 0, RET},
    {FAULT_ARCH_LBR_OTHER_NEVER, 0, OTHER},
    {FAULT_ARCH_LBR_JCC_ALWAYS, JCC, 0},
    {FAULT_ARCH_LBR_JMP_ALWAYS, JMP_RELATIVE, 0},
    {FAULT_ARCH_LBR_JMP_INDIRECT_ALWAYS, JMP_INDIRECT, 0},
    {FAULT_ARCH_LBR_CALL_ALWAYS, CALL_RELATIVE, 0},
    {FAULT_ARCH_LBR_CALL_INDIRECT_ALWAYS, CALL_INDIRECT, 0},
    {FAULT_ARCH_LBR_RET_ALWAYS, RET, 0},
    {FAULT_ARCH_LBR_OTHER_ALWAYS, OTHER, 0},
    {FAULT_ARCH_LBR_OS_IGNORED, LBR_CTL_OS, 0},
    {FAULT_ARCH_LBR_USR_IGNORED, LBR_CTL_USR, 0},
};

/* Pairs of bits that have changed places. */
static const struct {
    enum fault fault;
    uint64_t one, other;
} exchanged[] = {
    {FAULT_ARCH_LBR_JMPS_EXCHANGED, JMP_RELATIVE, JMP_INDIRECT},
    {FAULT_ARCH_LBR_CALLS_EXCHANGED, CALL_RELATIVE, CALL_INDIRECT},
    {FAULT_ARCH_LBR_RINGS_EXCHANGED, LBR_CTL_OS, LBR_CTL_USR},
};

static uint64_t exchange(uint64_t value, uint64_t one, uint64_t other)
{
    bool differ = !(value & one) != !(value & other);

    return differ ? value ^ (one | other) : value;
}

/* What a clear group of bits means to who takes "none" for "no filter". */
static uint64_t none_is_all(const struct ds_cpu *cpu, uint64_t value)
{
    bool kinds = fault_is_on(cpu, FAULT_ARCH_LBR_NO_KIND_IS_ALL) && !(value & LBR_CTL_KINDS);
    bool rings = fault_is_on(cpu, FAULT_ARCH_LBR_NO_RING_IS_ALL) && !(value & RINGS);

    return value | (kinds ? LBR_CTL_KINDS : 0) | (rings ? RINGS : 0);
}

uint64_t fault_lbr_filters(const struct ds_cpu *cpu, uint64_t value)
{
    if (!faults_are_on(cpu)) {
        return value;
    }
    value = none_is_all(cpu, value);
    for (size_t i = 0; i < sizeof(exchanged) / sizeof(exchanged[0]); i++) {
        bool happens = fault_is_on(cpu, exchanged[i].fault);
        value = happens ? exchange(value, exchanged[i].one, exchanged[i].other) : value;
    }
    for (size_t i = 0; i < sizeof(stuck) / sizeof(stuck[0]); i++) {
        bool happens = fault_is_on(cpu, stuck[i].fault);
        value = happens ? (value | stuck[i].set) & ~stuck[i].clear : value;
    }
    return value ^ (fault_is_on(cpu, FAULT_ARCH_LBR_EXCLUDES) ? LBR_CTL_KINDS : 0);
}

/* A state, so that branches are reported while nothing is recorded. */
bool fault_pops_frozen(const struct ds_cpu *cpu)
{
    uint64_t both = LBR_CTL_LBREN | LBR_CTL_CALL_STACK;

    return fault_is_on(cpu, FAULT_CALL_STACK_POPS_FROZEN) && arch_lbr_exists(&cpu->profile) &&
           (cpu->lbr_control & both) == both && cpu->lbr_depth > 0 &&
           cpu->global_status & STATUS_LBR_FRZ;
}

static bool is_iret(const struct ds_cpu *cpu, const struct ds_host *host,
                    const struct ds_branch *branch)
{
    bool repeated;

    return branch->kind == DS_BRANCH_FAR && opcode_at(cpu, host, branch->from, &repeated) == IRET;
}

bool fault_lbr_lets_in(const struct ds_cpu *cpu, const struct ds_host *host,
                       const struct ds_branch *branch)
{
    struct ds_branch judged = *branch;

    if (fault_is_on(cpu, FAULT_ARCH_LBR_IRET_OLD_RING) && is_iret(cpu, host, branch) &&
        fault(cpu, FAULT_ARCH_LBR_IRET_OLD_RING)) {
        judged.new_cpl = branch->old_cpl;
    }
    return arch_lbr_includes(cpu, &judged);
}

bool fault_lbr_loses(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    switch (branch->kind) {
    case DS_BRANCH_INTERRUPT:
        return fault(cpu, FAULT_LBR_LOSES_INTERRUPTS);
    case DS_BRANCH_EXCEPTION:
        return fault(cpu, FAULT_LBR_LOSES_EXCEPTIONS);
    default:
        return fault(cpu, FAULT_LBR_ENTRY_LOST) ||
               (debugctl_is_set(cpu, DEBUGCTL_TR | DEBUGCTL_BTS) &&
                fault(cpu, FAULT_ARCH_LBR_OFF_WITH_BTS));
    }
}

uint64_t fault_lbr_base(const struct ds_cpu *cpu, const struct ds_branch *branch, uint64_t base)
{
    bool mine = branch->kind <= DS_BRANCH_RET && branch->kind != DS_BRANCH_JMP_RELATIVE;
    bool linear = cpu->profile.lbr_leaf_eax & LBR_LEAF_EAX_LINEAR;

    return mine && linear && fault_is_on(cpu, FAULT_LBR_BASE_LOST) ? base : 0;
}

void fault_lbr_entry(const struct ds_cpu *cpu, struct lbr_entry *entry)
{
    if (fault(cpu, FAULT_LBR_FROM_TO_EXCHANGED)) {
        fault_exchange(&entry->from, &entry->to);
    }
    if (fault(cpu, FAULT_ARCH_LBR_FROM_FLAG)) { /* as formats 3 to 5 have it */
        entry->from = (entry->from & ~(1ull << 63)) | (entry->info & 1ull << 63);
    }
    if (fault(cpu, FAULT_ARCH_LBR_TO_CYCLES)) { /* as format 6 has it */
        entry->to = (entry->to & 0xffffffffffff) | entry->info << 48;
    }
}

void fault_lbr_pushed(struct ds_cpu *cpu)
{
    if (fault(cpu, FAULT_ARCH_LBR_NEWEST_SECOND)) {
        fault_exchange(&cpu->lbr_from[0], &cpu->lbr_from[1]);
        fault_exchange(&cpu->lbr_to[0], &cpu->lbr_to[1]);
        fault_exchange(&cpu->lbr_info[0], &cpu->lbr_info[1]);
    }
}

/* Entries from first on keep what they held. */
static void keep(uint64_t *now, const uint64_t *before, size_t first)
{
    memcpy(now + first, before + first, (DS_LBR_DEPTH_MAX - first) * sizeof(*now));
}

void fault_depth_written(struct ds_cpu *cpu, uint64_t old)
{
    const struct ds_cpu before = *cpu;
    bool all = fault(cpu, FAULT_LBR_DEPTH_KEEPS_ALL) ||
               (cpu->lbr_depth == old && fault(cpu, FAULT_LBR_DEPTH_SAME_KEEPS)) ||
               (cpu->global_status & STATUS_LBR_FRZ && fault(cpu, FAULT_LBR_DEPTH_FROZEN_KEEPS));
    size_t last = fault(cpu, FAULT_LBR_DEPTH_KEEPS_LAST)    ? cpu->lbr_depth - 1
                  : fault(cpu, FAULT_LBR_DEPTH_HALF_ON_ONE) ? cpu->lbr_depth / 2
                                                            : DS_LBR_DEPTH_MAX;

    arch_lbr_clear(cpu);
    keep(cpu->lbr_from, before.lbr_from, all || fault(cpu, FAULT_LBR_DEPTH_KEEPS_FROM) ? 0 : last);
    keep(cpu->lbr_to, before.lbr_to, all || fault(cpu, FAULT_LBR_DEPTH_KEEPS_TO) ? 0 : last);
    keep(cpu->lbr_info, before.lbr_info, all || fault(cpu, FAULT_LBR_DEPTH_KEEPS_INFO) ? 0 : last);
}

bool fault_takes_depth(const struct ds_cpu *cpu, uint64_t depth)
{
    switch (depth) {
    case 0:
        return fault(cpu, FAULT_LBR_DEPTH_0_TAKEN);
    case 16:
        return arch_lbr_has_depth(&cpu->profile, depth) && !fault(cpu, FAULT_LBR_DEPTH_16_REFUSED);
    case 24:
        return fault(cpu, FAULT_LBR_DEPTH_24_TAKEN);
    default:
        return arch_lbr_has_depth(&cpu->profile, depth);
    }
}

uint64_t fault_readable_entries(const struct ds_cpu *cpu)
{
    if (fault_is_on(cpu, FAULT_ARCH_LBR_ABOVE_DEPTH)) {
        return DS_LBR_DEPTH_MAX;
    }
    bool one_more = fault_is_on(cpu, FAULT_ARCH_LBR_AT_DEPTH) && cpu->lbr_depth < DS_LBR_DEPTH_MAX;

    return cpu->lbr_depth + one_more;
}

uint64_t fault_branch_type(const struct ds_cpu *cpu, enum ds_branch_kind kind, uint64_t type)
{
    static const struct {
        enum fault fault;
        enum ds_branch_kind kind;
        uint8_t type;
    } wrong[] = {
        {FAULT_LBR_TYPE_JCC, DS_BRANCH_CONDITIONAL, 8},
        {FAULT_LBR_TYPE_JMP, DS_BRANCH_JMP_RELATIVE, 1},
        {FAULT_LBR_TYPE_JMP_INDIRECT, DS_BRANCH_JMP_INDIRECT, 2},
        {FAULT_LBR_TYPE_CALL, DS_BRANCH_CALL_RELATIVE, 3},
        {FAULT_LBR_TYPE_CALL_INDIRECT, DS_BRANCH_CALL_INDIRECT, 4},
        {FAULT_LBR_TYPE_RET, DS_BRANCH_RET, 1},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        if (wrong[i].kind == kind && fault(cpu, wrong[i].fault)) {
            return wrong[i].type;
        }
    }
    return kind >= DS_BRANCH_FAR && fault(cpu, FAULT_LBR_TYPE_OTHER) ? 0 : type;
}

struct lbr_entry fault_saved_entry(const struct ds_cpu *cpu, unsigned i)
{
    unsigned place = i;

    if (fault_is_on(cpu, FAULT_XSAVES_LBR_REVERSED)) {
        place = i < cpu->lbr_depth ? (unsigned)cpu->lbr_depth - 1 - i : i;
    }
    place += fault_is_on(cpu, FAULT_XSAVES_LBR_LATE);
    struct lbr_entry entry = place < cpu->lbr_depth ? lbr_entry(cpu, place) : (struct lbr_entry){0};

    if (fault(cpu, FAULT_XSAVES_LBR_FROM_TO)) {
        fault_exchange(&entry.from, &entry.to);
    }
    return entry;
}

/* CTL, DEPTH, three of LER, the entries. */
void fault_image_saved(const struct ds_cpu *cpu, uint64_t image[DS_LBR_IMAGE])
{
    if (fault(cpu, FAULT_XSAVES_LBR_LOST)) {
        memset(image, 0, DS_LBR_IMAGE * sizeof(*image));
    }
    if (fault(cpu, FAULT_XSAVES_LBR_CTL_LOST)) {
        image[0] = 0;
    }
    if (fault(cpu, FAULT_XSAVES_LER_LOST)) {
        memset(image + 2, 0, 3 * sizeof(*image));
    }
}
