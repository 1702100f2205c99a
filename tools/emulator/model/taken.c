// SPDX-License-Identifier: GPL-2.0-or-later
#include "taken.h"

#include "arch_lbr.h"
#include "chance.h"
#include "counter.h"
#include "debugctl.h"
#include "lbr.h"
#include "pebs.h"

#define TSX_FORCE_ABORT 0x10f
#define RTM_FORCE_ABORT (1ull << 0)

#define PMC3 (1ull << 3)

#define OTHERS_SELECT      (PERFEVTSEL_EN | PERFEVTSEL_OS | PERFEVTSEL_USR | 0x013c) /* their clock */
#define OTHERS_FIELD       (FIXED_OS | FIXED_USR)
#define OTHERS_VALUE       0x12345678
#define SEIZED_ONE_READ_IN 500
#define SEIZED_ONE_IN      20000 /* instructions */
#define FIRMWARE_SELECT    (PERFEVTSEL_EN | PERFEVTSEL_OS | PERFEVTSEL_USR | 0x003c) /* cycles */
#define FIRMWARE_FIXED     0xb0 /* fixed counter 1 in all rings, with its interrupt */
#define FIRMWARE_VALUE     0x2a5f3c71
#define FIRMWARE_LBRS      (LBR_CTL_LBREN | LBR_CTL_OS | LBR_CTL_KINDS)
#define FIXED_1            (COUNTER_FIXED + 1)

uint64_t taken_by_microcode(const struct ds_cpu *cpu)
{
    bool taken = cpu->profile.tsx_force_abort && !(cpu->force_abort & RTM_FORCE_ABORT);

    return taken ? PMC3 & counter_existing(&cpu->profile) : 0;
}

enum ds_msr_result taken_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    if (msr != TSX_FORCE_ABORT || !cpu->profile.tsx_force_abort) {
        return DS_MSR_NOT_MINE;
    }
    *value = cpu->force_abort;
    return DS_MSR_DONE;
}

enum ds_msr_result taken_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    if (msr != TSX_FORCE_ABORT || !cpu->profile.tsx_force_abort) {
        return DS_MSR_NOT_MINE;
    }
    if (value & ~RTM_FORCE_ABORT) {
        return DS_MSR_FAULT;
    }
    cpu->force_abort = value;
    counter_refresh(cpu);
    return DS_MSR_DONE;
}

/* The number of the counter that the variation names; there may be no such counter. */
static unsigned number_of_others(const struct ds_cpu *cpu)
{
    unsigned value = cpu->variation.taken_counter;

    return value >= DS_TAKEN_PMC0 ? value - DS_TAKEN_PMC0
                                  : COUNTER_FIXED + value - DS_TAKEN_FIXED_0;
}

static bool exists(const struct ds_cpu *cpu, unsigned number)
{
    return counter_existing(&cpu->profile) >> number & 1;
}

static void enable(struct ds_cpu *cpu, unsigned number)
{
    if (cpu->profile.perfmon_version > 1 && exists(cpu, number)) {
        cpu->global_control |= 1ull << number;
        counter_refresh(cpu);
    }
}

/*
 * A counter that nothing but its select enables would count for the whole run, and every
 * instruction would be reported, fifty times as slow. So it is set up without being enabled.
 */
static uint64_t select_of_others(const struct ds_cpu *cpu)
{
    return cpu->profile.perfmon_version > 1 ? OTHERS_SELECT
                                            : OTHERS_SELECT & ~(uint64_t)PERFEVTSEL_EN;
}

/* A fixed counter has a control field instead of a select. */
static void set_up(struct ds_cpu *cpu, unsigned number)
{
    unsigned place = (number - COUNTER_FIXED) * FIXED_FIELD_WIDTH;

    if (number < COUNTER_FIXED) {
        cpu->general_select[number] = select_of_others(cpu);
    } else {
        cpu->fixed_control &= ~((FIXED_OS | FIXED_USR | FIXED_ANY | FIXED_PMI) << place);
        cpu->fixed_control |= OTHERS_FIELD << place;
    }
}

/* The other user takes the variation's counter again; in system management mode it also
 * enables it. */
static void seize(struct ds_cpu *cpu)
{
    unsigned number = number_of_others(cpu);

    if (exists(cpu, number)) {
        set_up(cpu, number);
        *counter_value(cpu, number) = OTHERS_VALUE;
        counter_loaded(cpu, number);
        pebs_forget(cpu, 1ull << number);
        counter_refresh(cpu);
    }
}

void taken_before_read(struct ds_cpu *cpu)
{
    if (cpu->variation.taken_counter && chance(cpu, SEIZED_ONE_READ_IN)) {
        seize(cpu);
    }
}

void taken_after_instruction(struct ds_cpu *cpu)
{
    if (cpu->variation.taken_counter && chance(cpu, SEIZED_ONE_IN)) {
        seize(cpu);
    }
}

void taken_after_smm(struct ds_cpu *cpu)
{
    if (cpu->variation.taken_counter) {
        seize(cpu);
        enable(cpu, number_of_others(cpu));
    }
}

static void leave_counters_running(struct ds_cpu *cpu)
{
    const struct ds_profile *profile = &cpu->profile;

    if (profile->general_counters > 0) {
        cpu->general_select[0] = FIRMWARE_SELECT;
        cpu->general[0] = FIRMWARE_VALUE;
        cpu->global_control |= profile->perfmon_version > 1 ? 1 : 0;
    }
    if (profile->fixed_counters > 1) {
        cpu->fixed_control = FIRMWARE_FIXED;
        cpu->fixed[1] = FIRMWARE_VALUE;
        cpu->global_control |= 1ull << FIXED_1;
    }
    cpu->pebs_enable = pebs_exists(profile) ? 1 : 0;
    cpu->debugctl = lbr_depth(profile) > 0 ? DEBUGCTL_LBR : 0;
    cpu->lbr_control = arch_lbr_exists(profile) ? FIRMWARE_LBRS : 0;
    counter_refresh(cpu);
}

/*
 * The count while firmware runs is unknown, with what firmware starts and with a counter that is
 * enabled at its first SMI. Reporting each of its instructions would be slow, so nothing is
 * reported until software writes a register.
 */
void taken_after_reset(struct ds_cpu *cpu)
{
    if (cpu->profile.firmware_counters) {
        leave_counters_running(cpu);
    }
    cpu->left_running = cpu->profile.firmware_counters || cpu->variation.taken_counter;
}
