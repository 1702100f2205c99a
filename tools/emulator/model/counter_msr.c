// SPDX-License-Identifier: GPL-2.0-or-later
#include "counter_msr.h"

#include "arch_lbr_info.h"
#include "arch_pebs.h"
#include "counter.h"
#include "counter_register.h"
#include "family.h"
#include "global_status.h"
#include "not_lent.h"
#include "pebs.h"
#include "perf_capabilities.h"
#include "slots.h"
#include "taken.h"

/* Counters from these on may have none but their block (F21.14). */
#define OLD_GENERAL 8
#define OLD_FIXED   4

#define INUSE_PMI    (1ull << 63)
#define INUSE_PEBS   0xfull
#define SELECT_EVENT 0xffull

#define CONFIG_C_RELOAD 0xffffffffull

/* A counter that the other thread of the core has (F1.14): here nothing counts. */
static bool is_of_other_thread(const struct ds_cpu *cpu, unsigned number)
{
    return cpu->variation.upper_counters && family_of(&cpu->profile)->eight_counters &&
           cpu->profile.general_counters == 4 && number >= 4 && number < 8;
}

bool counter_msr_has(const struct ds_cpu *cpu, unsigned number)
{
    return counter_existing(&cpu->profile) >> number & 1 || is_of_other_thread(cpu, number);
}

/* The old numbers go on where there are no blocks; beside blocks that is open (F21.13, F21.14).
 * What reloads stands in the blocks in any version (F21.15). */
static bool is_reached(const struct ds_cpu *cpu, struct place place)
{
    bool fixed = place.number >= COUNTER_FIXED, blocks = cpu->profile.perfmon_version > 5;
    bool reloads = (place.kind == CONFIG_B || place.kind == CONFIG_C) && cpu->profile.reloadable;
    unsigned i = fixed ? place.number - COUNTER_FIXED : place.number;
    bool old = i < (fixed ? OLD_FIXED : OLD_GENERAL) || !blocks || cpu->variation.old_numbers_go_on;

    return counter_msr_has(cpu, place.number) && (place.block ? blocks || reloads : old);
}

/* CFG_B and CFG_C have bits of reloading, CFG_C those of architectural PEBS, too. */
static bool has_config(const struct ds_profile *profile, struct place place)
{
    return profile->reloadable >> place.number & 1 ||
           (place.kind == CONFIG_C && arch_pebs_config_bits(profile, place.number));
}

static bool exists(const struct ds_cpu *cpu, struct place place)
{
    const struct ds_profile *profile = &cpu->profile;

    switch (place.kind) {
    case NOTHING:
        return false;
    case METRICS:
        return profile->metrics;
    case CONFIG_B:
    case CONFIG_C:
        return is_reached(cpu, place) &&
               (has_config(profile, place) || !cpu->variation.block_lacking_fault);
    case VALUE:
    case SELECT:
    case FIXED:
        return is_reached(cpu, place);
    case FULL_WIDTH:
        return is_reached(cpu, place) &&
               (place.block || perf_capabilities_has(profile, PERF_CAPABILITIES_FULL_WIDTH));
    case FIXED_CONTROL:
    case STATUS:
    case CONTROL:
    case RESET:
        return profile->perfmon_version > 1;
    default:
        return profile->perfmon_version > 3;
    }
}

/* Which counters and which interrupts software has taken for itself (F6.9). */
static uint64_t in_use(const struct ds_cpu *cpu)
{
    uint64_t value = 0;

    uint64_t told = counter_existing(&cpu->profile);

    if (cpu->variation.inuse_lacks_fixed_3) {
        told &= ~(1ull << (COUNTER_FIXED + 3)); /* the manual names three (F6.9) */
    }
    if (cpu->variation.inuse_lacks_newer) { /* that it goes on is only thought (F21.23) */
        told &= ((1ull << OLD_FIXED) - 1) << COUNTER_FIXED | ((1ull << OLD_GENERAL) - 1);
    }
    for (uint64_t rest = told; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool used = number < COUNTER_FIXED
                        ? cpu->general_select[number] & SELECT_EVENT
                        : counter_fixed_field(cpu, number) & (FIXED_OS | FIXED_USR);
        value |= (uint64_t)used << number;
        value |= counter_signals(cpu, number) ? INUSE_PMI : 0;
    }
    return value | (cpu->pebs_enable & INUSE_PEBS ? INUSE_PMI : 0);
}

uint64_t counter_msr_general(const struct ds_cpu *cpu, unsigned number)
{
    return taken_by_microcode(cpu) >> number & 1 ? 0 : cpu->general[number];
}

enum ds_msr_result counter_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    struct place place = counter_register(msr);

    if (place.kind == NONE) {
        return DS_MSR_NOT_MINE;
    }
    if (!exists(cpu, place)) {
        return DS_MSR_FAULT;
    }
    switch (place.kind) {
    case VALUE:
    case FULL_WIDTH:
        *value = counter_msr_general(cpu, place.number);
        break;
    case SELECT:
        *value = cpu->general_select[place.number];
        break;
    case FIXED:
        *value = cpu->fixed[place.number - COUNTER_FIXED];
        break;
    case CONFIG_B:
        *value = cpu->reload_causes[counter_place(place.number)];
        break;
    case CONFIG_C:
        *value = cpu->config_c[counter_place(place.number)];
        break;
    case METRICS:
        *value = slots_metrics(cpu);
        break;
    case FIXED_CONTROL:
        *value = cpu->fixed_control;
        break;
    case STATUS:
        *value = cpu->global_status;
        break;
    case CONTROL:
        *value = cpu->global_control;
        break;
    case INUSE:
        *value = in_use(cpu);
        break;
    default: /* RESET and SET are for writing; they read as zero (F6.1) */
        *value = 0;
    }
    return DS_MSR_DONE;
}

/* The bits of one counter; only PMC2 has the second. */
static uint64_t rtm_bits(unsigned number)
{
    return PERFEVTSEL_IN_TX | (number == 2 ? PERFEVTSEL_IN_TXCP : 0);
}

static uint64_t select_bits(const struct ds_profile *profile, unsigned number)
{
    uint64_t bits = 0xffffffffull;

    if (!counter_any_thread(profile)) {
        bits &= ~PERFEVTSEL_ANY;
    }
    if (profile->pin_control_gone) {
        bits &= ~PERFEVTSEL_PIN;
    }
    if (profile->rtm) {
        bits |= rtm_bits(number);
    }
    if (perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_BASELINE)) {
        bits |= PERFEVTSEL_ADAPTIVE;
    }
    if (arch_lbr_logs_events(profile, number)) {
        bits |= PERFEVTSEL_LOG;
    }
    bits |= profile->equal_bit ? PERFEVTSEL_EQ : 0;
    bits |= profile->rdpmc_user_disable ? PERFEVTSEL_USER_OFF : 0;
    return bits | (profile->unit_mask_2 ? PERFEVTSEL_UMASK_2 : 0);
}

/* One field for each of the fixed counters, which may have holes between them. */
static uint64_t fixed_fields(const struct ds_profile *profile, uint64_t field)
{
    uint64_t bits = 0;

    for (uint64_t rest = counter_existing(profile) >> COUNTER_FIXED; rest; rest &= rest - 1) {
        bits |= field << counter_first(rest) * FIXED_FIELD_WIDTH;
    }
    return bits;
}

static uint64_t fixed_control_bits(const struct ds_profile *profile)
{
    uint64_t field = FIXED_OS | FIXED_USR | FIXED_PMI;

    if (counter_any_thread(profile)) {
        field |= FIXED_ANY;
    }
    if (perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_BASELINE)) {
        field |= FIXED_ADAPTIVE;
    }
    field |= profile->rdpmc_user_disable ? FIXED_USER_OFF : 0;
    return fixed_fields(profile, field);
}

/* Bits of the global registers: one for each counter, and for PERF_METRICS (F21.22). */
static uint64_t global_bits(const struct ds_profile *profile)
{
    return counter_existing(profile) | (profile->metrics ? SLOTS_METRICS : 0);
}

static uint64_t resettable_status(const struct ds_profile *profile)
{
    uint64_t bits = global_bits(profile) | STATUS_OVFBUF | STATUS_CONDCHGD;

    if (profile->perfmon_version > 3) {
        bits |= STATUS_LBR_FRZ | STATUS_CTR_FRZ;
    }
    bits |= arch_pebs_exists(profile) ? STATUS_ARCH_PEBS : 0;
    return bits | (profile->ovf_uncore ? STATUS_OVF_UNCORE : 0);
}

/* The bits that a write may set; any other faults (F6.10). */
static uint64_t writable_bits(const struct ds_cpu *cpu, struct place place)
{
    const struct ds_profile *profile = &cpu->profile;

    switch (place.kind) {
    case VALUE:
        return ~0ull; /* the upper half is ignored */
    case FULL_WIDTH:
    case FIXED:
        return counter_value_bits(profile, place.number);
    case SELECT:
        return select_bits(profile, place.number);
    case CONFIG_B:
        return profile->reloadable >> place.number & 1 ? profile->reload_causes : 0;
    case CONFIG_C:
        return (profile->reloadable >> place.number & 1 ? CONFIG_C_RELOAD : 0) |
               arch_pebs_config_bits(profile, place.number);
    case METRICS:
        return profile->metrics < 8 ? (1ull << 8 * profile->metrics) - 1 : ~0ull;
    case FIXED_CONTROL:
        return fixed_control_bits(profile);
    case CONTROL:
        return global_bits(profile);
    case RESET:
        return resettable_status(profile);
    default:
        /* CondChgd cannot be set (F6.8). */
        return resettable_status(profile) & ~STATUS_CONDCHGD;
    }
}

/* Bits that the register lacks, and may none the less not refuse: if it lacks them in this way. */
static uint64_t lacking_bits(const struct ds_cpu *cpu, struct place place, enum ds_lacking way)
{
    const struct ds_profile *profile = &cpu->profile;
    bool any =
        counter_any_thread_deprecated(profile) && cpu->variation.any_thread_deprecated == way;
    bool rtm =
        family_of(profile)->rtm_known && !profile->rtm && cpu->variation.select_without_rtm == way;

    if (profile->counter_bits_ignored && way == DS_LACKING_IGNORED) {
        return ~0ull;
    }
    switch (place.kind) {
    case CONTROL:
        return profile->global_ctrl_keeps && way == DS_LACKING_STICKS ? ~0ull : 0;
    case SELECT:
        return (any ? PERFEVTSEL_ANY : 0) | (rtm ? rtm_bits(place.number) : 0);
    case FIXED_CONTROL:
        return any ? fixed_fields(profile, FIXED_ANY) : 0;
    case RESET:
    case SET:
        return way == DS_LACKING_IGNORED && cpu->variation.status_bits_ignored ? ~0ull : 0;
    default:
        return 0;
    }
}

/* The bits that are of PEBS; and of a stack that logs events. */
static uint64_t pebs_bits(const struct ds_profile *profile, struct place place)
{
    bool reloaded = profile->reloadable >> place.number & 1; /* not by PEBS alone */

    switch (place.kind) {
    case SELECT:
        return PERFEVTSEL_ADAPTIVE;
    case FIXED_CONTROL:
        return fixed_fields(profile, FIXED_ADAPTIVE);
    case CONFIG_C:
        return arch_pebs_config_bits(profile, place.number) & ~(reloaded ? CONFIG_C_RELOAD : 0);
    default:
        return 0;
    }
}

static bool not_lent_bits(const struct ds_cpu *cpu, struct place place, uint64_t *value)
{
    return not_lent_take_out(cpu, DS_FACILITY_PEBS, pebs_bits(&cpu->profile, place), value) &&
           not_lent_take_out(cpu, DS_FACILITY_LBR, place.kind == SELECT ? PERFEVTSEL_LOG : 0,
                             value);
}

static bool is_read_only(struct place place)
{
    return place.kind == STATUS || place.kind == INUSE;
}

static bool ignores_writes(const struct ds_cpu *cpu, struct place place)
{
    return place.kind == STATUS ? cpu->variation.status_write_ignored
                                : cpu->variation.inuse_write_ignored;
}

static void store_value(struct ds_cpu *cpu, unsigned number, uint64_t value)
{
    *counter_value(cpu, number) = value & counter_value_bits(&cpu->profile, number);
    counter_loaded(cpu, number);
    pebs_forget(cpu, 1ull << number);
}

/* Clears status bits, and with the streamlined freeze bits the freeze itself (F7.8). */
static void clear_status(struct ds_cpu *cpu, uint64_t value)
{
    cpu->global_status &= ~value;
}

/* Sets status bits; whether that raises the PMI of the counters meant is not stated (F6.8). */
static void set_status(struct ds_cpu *cpu, uint64_t value)
{
    cpu->global_status |= value;
    if (cpu->variation.set_interrupts && counter_signalling(cpu, value)) {
        cpu->pmi_skidding = true;
        cpu->pmi_instructions = 1;
    }
}

static void store(struct ds_cpu *cpu, struct place place, uint64_t value)
{
    switch (place.kind) {
    case VALUE: /* bit 31 fills the rest of the counter (F6.22) */
        store_value(cpu, place.number, counter_extended(value));
        break;
    case FULL_WIDTH: /* whether a block takes all bits is nowhere said (F21.13) */
        value = place.block && cpu->variation.block_write_narrow ? counter_extended(value) : value;
        store_value(cpu, place.number, value);
        break;
    case FIXED:
        store_value(cpu, place.number, value);
        break;
    case SELECT:
        cpu->general_select[place.number] = value;
        cpu->edge_seen &= ~(1ull << place.number);
        break;
    case CONFIG_B:
        cpu->reload_causes[counter_place(place.number)] = value;
        break;
    case CONFIG_C:
        cpu->config_c[counter_place(place.number)] = value;
        break;
    case METRICS:
        slots_write_metrics(cpu, value);
        break;
    case FIXED_CONTROL:
        cpu->fixed_control = value;
        break;
    case CONTROL:
        cpu->global_control = value;
        break;
    case RESET:
        clear_status(cpu, value);
        break;
    default:
        set_status(cpu, value);
    }
    counter_refresh(cpu);
}

enum ds_msr_result counter_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    struct place place = counter_register(msr);

    if (place.kind == NONE) {
        return DS_MSR_NOT_MINE;
    }
    if (!exists(cpu, place)) {
        return DS_MSR_FAULT;
    }
    if (is_read_only(place)) {
        return ignores_writes(cpu, place) ? DS_MSR_DONE : DS_MSR_FAULT;
    }
    uint64_t kept = writable_bits(cpu, place) | lacking_bits(cpu, place, DS_LACKING_STICKS);
    uint64_t dropped = lacking_bits(cpu, place, DS_LACKING_IGNORED) & ~kept;

    if (!not_lent_bits(cpu, place, &value) || value & ~kept & ~dropped) {
        return DS_MSR_FAULT;
    }
    store(cpu, place, value & ~dropped);
    return DS_MSR_DONE;
}
