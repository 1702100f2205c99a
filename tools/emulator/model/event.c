// SPDX-License-Identifier: GPL-2.0-or-later
#include "event.h"

#include "family.h"
#include "slots.h"

#define SELECT_CODE 0xffffu /* umask and event */
#define NEVER       (1u << EVENT_CACHE_REFERENCES | 1u << EVENT_CACHE_MISSES | 1u << EVENT_SLOTS_BACKEND)
#define SINCE_LEAF  EVENT_SLOTS_BACKEND /* no processor before version 6 enumerates it */

uint32_t event_counted(const struct ds_profile *profile)
{
    uint32_t told = (1u << EVENT_ARCHITECTURAL) - 1;

    if (profile->leaf_23) {
        return profile->events & told & ~NEVER;
    }
    if (profile->event_count <= SINCE_LEAF) {
        told = (1u << SINCE_LEAF) - 1;
    }
    return told & ~profile->events_missing & ~NEVER;
}

/* Events by umask and event; as bits of struct family's precise, where some family samples them. */
static const struct selection {
    uint16_t code;
    uint8_t event;    /* enum event */
    uint8_t precise;  /* PRECISE_... or 0 */
    uint8_t branches; /* BRANCHES_...: whose list it is on; 0: that of precise, or everybody's */
} selections[] = {
    {0x003c, EVENT_CYCLES, 0, 0},
    {0x00c0, EVENT_INSTRUCTIONS, PRECISE_C0_00, BRANCHES_ALL},
    {0x01c0, EVENT_INSTRUCTIONS, PRECISE_C0_01, 0},
    {0x01c2, EVENT_MICRO_OPERATIONS, PRECISE_C2_01, 0},
    {0x013c, EVENT_REFERENCE_CYCLES, 0, 0},
    {0x4f2e, EVENT_CACHE_REFERENCES, 0, 0},
    {0x412e, EVENT_CACHE_MISSES, 0, 0},
    {0x00c4, EVENT_BRANCHES, PRECISE_C4_00, BRANCHES_ALL},
    {0x04c4, EVENT_BRANCHES, PRECISE_C4_04, 0},
    {0x00c5, EVENT_MISPREDICTS, PRECISE_C5_00, BRANCHES_ALL},
    {0x04c5, EVENT_MISPREDICTS, PRECISE_C5_04, 0},
    {0x01a4, EVENT_SLOTS, 0, 0},
    {0x02a4, EVENT_SLOTS_BACKEND, 0, 0},
    {0x0073, EVENT_SLOTS_BAD, 0, 0},
    {0x019c, EVENT_SLOTS_FRONTEND, 0, 0},
    {0x02c2, EVENT_SLOTS_RETIRING, 0, 0},
    {0x01e4, EVENT_LBR_INSERTS, 0, 0},
    {0x01c4, EVENT_CONDITIONAL, PRECISE_C4_04, BRANCHES_SANDY_BRIDGE},
    {0x02c4, EVENT_CALLS, PRECISE_C4_04, BRANCHES_SANDY_BRIDGE | BRANCHES_ICE_LAKE},
    {0x08c4, EVENT_RETURNS, PRECISE_C4_04, BRANCHES_SANDY_BRIDGE | BRANCHES_ICE_LAKE},
    {0x10c4, EVENT_NOT_TAKEN, 0, BRANCHES_SANDY_BRIDGE | BRANCHES_ICE_LAKE},
    {0x20c4, EVENT_TAKEN, PRECISE_C4_04, BRANCHES_SANDY_BRIDGE | BRANCHES_ICE_LAKE},
    {0x40c4, EVENT_FAR, 0, BRANCHES_SANDY_BRIDGE | BRANCHES_ICE_LAKE},
    {0x01c4, EVENT_CONDITIONAL_TAKEN, 0, BRANCHES_ICE_LAKE},
    {0x11c4, EVENT_CONDITIONAL, 0, BRANCHES_ICE_LAKE},
    {0x80c4, EVENT_INDIRECT, 0, BRANCHES_ICE_LAKE},
    {0x7ec4, EVENT_CONDITIONAL, 0, BRANCHES_ATOM},
    {0xfec4, EVENT_CONDITIONAL_TAKEN, 0, BRANCHES_ATOM},
    {0xf9c4, EVENT_CALLS, 0, BRANCHES_ATOM},
    {0xf7c4, EVENT_RETURNS, 0, BRANCHES_ATOM},
    {0xc0c4, EVENT_TAKEN, 0, BRANCHES_ATOM},
    {0xbfc4, EVENT_FAR, 0, BRANCHES_ATOM},
};

static const struct selection none = {0, EVENT_NONE, 0, 0};

static bool is_on_list(const struct selection *one, const struct family *family)
{
    if (one->branches) {
        return one->branches == BRANCHES_ALL || one->branches & family->branches;
    }
    return !one->precise || family->precise & one->precise;
}

static const struct selection *selection(const struct ds_cpu *cpu, unsigned number)
{
    const struct selection *end = selections + sizeof(selections) / sizeof(selections[0]);
    const struct family *family = family_of(&cpu->profile);
    uint64_t select = cpu->general_select[number];

    for (const struct selection *one = selections; one < end; one++) {
        if (one->code == (select & (SELECT_CODE | PERFEVTSEL_UMASK_2)) && is_on_list(one, family)) {
            return one;
        }
    }
    return &none;
}

/* By the fixed counter's number (F6.4, F21.12). */
static const enum event fixed[DS_FIXED_COUNTERS_MAX] = {
    EVENT_INSTRUCTIONS, EVENT_CYCLES,         EVENT_REFERENCE_CYCLES, EVENT_SLOTS,
    EVENT_SLOTS_BAD,    EVENT_SLOTS_FRONTEND, EVENT_SLOTS_RETIRING};

enum event event_of(const struct ds_cpu *cpu, unsigned number)
{
    if (number >= COUNTER_FIXED) {
        return fixed[number - COUNTER_FIXED];
    }
    enum event event = selection(cpu, number)->event;

    bool missing = event < EVENT_ARCHITECTURAL && !(event_counted(&cpu->profile) >> event & 1);

    return missing ? EVENT_NONE : event;
}

bool event_is_precise(const struct ds_cpu *cpu, unsigned number)
{
    const struct family *family = family_of(&cpu->profile);

    if (event_of(cpu, number) == EVENT_NONE) {
        return false;
    }
    unsigned precise = selection(cpu, number)->precise;
    bool bare = !(cpu->general_select[number] & PERFEVTSEL_CMASK);

    if (precise == PRECISE_C0_01 && family->c0_01_on_pmc1 && bare && number != 1) {
        return false;
    }
    return family->precise & precise;
}

static bool is_kind(const struct counter_cycle *cycle, enum ds_branch_kind from,
                    enum ds_branch_kind to)
{
    return cycle->branch && cycle->kind >= from && cycle->kind <= to;
}

/* Branches of one kind (F4.3); those that were not taken are conditional. */
static bool branches_in(const struct counter_cycle *cycle, enum event event)
{
    bool conditional = is_kind(cycle, DS_BRANCH_CONDITIONAL, DS_BRANCH_CONDITIONAL);

    switch (event) {
    case EVENT_CONDITIONAL:
        return conditional;
    case EVENT_CONDITIONAL_TAKEN:
        return conditional && cycle->taken;
    case EVENT_NOT_TAKEN:
        return conditional && !cycle->taken;
    case EVENT_TAKEN: /* near ones */
        return cycle->taken && is_kind(cycle, DS_BRANCH_CONDITIONAL, DS_BRANCH_RET);
    case EVENT_CALLS:
        return is_kind(cycle, DS_BRANCH_CALL_RELATIVE, DS_BRANCH_CALL_INDIRECT);
    case EVENT_RETURNS:
        return is_kind(cycle, DS_BRANCH_RET, DS_BRANCH_RET);
    case EVENT_INDIRECT:
        return is_kind(cycle, DS_BRANCH_JMP_INDIRECT, DS_BRANCH_JMP_INDIRECT) ||
               is_kind(cycle, DS_BRANCH_CALL_INDIRECT, DS_BRANCH_CALL_INDIRECT);
    default:
        return event == EVENT_FAR && is_kind(cycle, DS_BRANCH_FAR, DS_BRANCH_SOFTWARE_INTERRUPT);
    }
}

unsigned event_times(const struct ds_profile *profile, const struct counter_cycle *cycle,
                     enum event event)
{
    switch (event) {
    case EVENT_INSTRUCTIONS:
        return cycle->instructions + cycle->extra;
    case EVENT_CYCLES:
    case EVENT_REFERENCE_CYCLES:
    case EVENT_MICRO_OPERATIONS:
        return 1;
    case EVENT_BRANCHES:
        return cycle->branch + cycle->extra;
    case EVENT_MISPREDICTS:
        return cycle->mispredicted;
    case EVENT_LBR_INSERTS:
        return cycle->inserts;
    case EVENT_SLOTS:
        return slots_in_cycle(profile);
    case EVENT_SLOTS_BAD:
        return slots_of(profile, cycle, SLOT_BAD);
    case EVENT_SLOTS_FRONTEND:
        return slots_of(profile, cycle, SLOT_FRONTEND);
    case EVENT_SLOTS_RETIRING:
        return slots_of(profile, cycle, SLOT_RETIRING);
    default:
        return branches_in(cycle, event);
    }
}
