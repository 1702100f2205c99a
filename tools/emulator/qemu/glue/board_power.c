// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What changes the clock: P-states (EIST), clock modulation (T-states) and C1E. Nothing becomes
 * slower; the model hears of each transition, for on some processors the next branch's record shows
 * it (F4.15).
 *
 * EIST exists where CPUID.01H:ECX[7] says so, clock modulation where CPUID.01H:EDX[22] does
 * (-cpu …,+est,+acpi); MSR_POWER_CTL on every processor from Nehalem on, with C1E enabled, as
 * firmware leaves it.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "state.h"

#define IA32_PERF_STATUS      0x198
#define IA32_PERF_CTL         0x199
#define IA32_CLOCK_MODULATION 0x19a
#define MSR_POWER_CTL         0x1fc

#define PERF_CTL_STATE   0xffffu /* the wanted P-state: ratio in bits 15:8 */
#define PERF_CTL_NO_IDA  (1ull << 32)
#define MODULATION_BITS  0x1fu /* duty cycle, and whether there is one */
#define POWER_CTL_C1E    (1u << 1)
#define MISC_ENABLE_EIST (1ull << 16)
#define NO_TURBO         (1ull << 38) /* of IA32_MISC_ENABLE */

#define NORMAL_STATE 0x1800 /* 24 times the bus clock */

#define LEAF_6_TURBO (1u << 1) /* EAX */

static bool has_eist(const DebugStore *store)
{
    return store->cpu->env.features[FEAT_1_ECX] & CPUID_EXT_EST;
}

static bool has_modulation(const DebugStore *store)
{
    return store->cpu->env.features[FEAT_1_EDX] & CPUID_ACPI;
}

static bool has_power_control(const DebugStore *store)
{
    return board_is_nehalem_or_later(store);
}

static bool eist_is_on(const DebugStore *store)
{
    return has_eist(store) && store->model.misc_enable & MISC_ENABLE_EIST;
}

static bool turbo_is_on(const DebugStore *store)
{
    return eist_is_on(store) && !(store->model.misc_enable & NO_TURBO);
}

void board_reset_power(DebugStore *store)
{
    store->board.perf_ctl = NORMAL_STATE;
    store->board.clock_modulation = 0;
    store->board.power_ctl = POWER_CTL_C1E;
}

/* Firmware leaves EIST on. */
const char *board_settle_power(DebugStore *store)
{
    if (has_eist(store)) {
        store->model.profile.misc_enable |= MISC_ENABLE_EIST;
    }
    return store->board.transition_rate > 0 && !has_eist(store)
               ? "x-ds-transition-rate has no effect without +est"
               : NULL;
}

/* Turbo shows while it is not disabled. */
void debug_store_board_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax)
{
    const DebugStore *store = debug_store_of(env);

    if (leaf == 6 && env->cpuid_level >= leaf && store->model.profile.present &&
        has_power_control(store) && turbo_is_on(store)) {
        *eax |= LEAF_6_TURBO;
    }
}

static enum ds_msr_result done_if(bool exists)
{
    return exists ? DS_MSR_DONE : DS_MSR_FAULT;
}

enum ds_msr_result board_read_power(const DebugStore *store, uint32_t msr, uint64_t *value)
{
    const struct board *board = &store->board;

    switch (msr) {
    case IA32_PERF_STATUS:
        *value = board->perf_ctl & PERF_CTL_STATE;
        return has_eist(store) ? DS_MSR_DONE : DS_MSR_NOT_MINE; /* it had a value before */
    case IA32_PERF_CTL:
        *value = board->perf_ctl;
        return done_if(has_eist(store));
    case IA32_CLOCK_MODULATION:
        *value = board->clock_modulation;
        return done_if(has_modulation(store));
    case MSR_POWER_CTL:
        *value = board->power_ctl;
        return done_if(has_power_control(store));
    default:
        return DS_MSR_NOT_MINE;
    }
}

static enum ds_msr_result write_perf_ctl(DebugStore *store, uint64_t value)
{
    uint64_t changed = value ^ store->board.perf_ctl;

    if (!has_eist(store) || value & ~(PERF_CTL_STATE | PERF_CTL_NO_IDA)) {
        return DS_MSR_FAULT;
    }
    store->board.perf_ctl = value;
    if (changed & PERF_CTL_STATE && eist_is_on(store)) {
        ds_transition(&store->model);
    }
    return DS_MSR_DONE;
}

static enum ds_msr_result write_modulation(DebugStore *store, uint64_t value)
{
    bool changed = value != store->board.clock_modulation;

    if (!has_modulation(store) || value & ~(uint64_t)MODULATION_BITS) {
        return DS_MSR_FAULT;
    }
    store->board.clock_modulation = value;
    if (changed) {
        ds_transition(&store->model);
    }
    return DS_MSR_DONE;
}

enum ds_msr_result board_write_power(DebugStore *store, uint32_t msr, uint64_t value)
{
    switch (msr) {
    case IA32_PERF_STATUS:
        return has_eist(store) ? DS_MSR_FAULT : DS_MSR_NOT_MINE; /* read-only */
    case IA32_PERF_CTL:
        return write_perf_ctl(store, value);
    case IA32_CLOCK_MODULATION:
        return write_modulation(store, value);
    case MSR_POWER_CTL:
        store->board.power_ctl = value;
        return done_if(has_power_control(store));
    default:
        return DS_MSR_NOT_MINE;
    }
}

void board_power_halts(DebugStore *store)
{
    if (has_power_control(store) && store->board.power_ctl & POWER_CTL_C1E) {
        ds_transition(&store->model);
    }
}

/* Between two instructions of this processor. */
static void change_clock(CPUState *cs, run_on_cpu_data unused)
{
    DebugStore *store = X86_CPU(cs)->debug_store;

    if (turbo_is_on(store)) {
        ds_transition(&store->model);
    }
}

static void let_clock_change(X86CPU *cpu, unsigned unused)
{
    async_run_on_cpu(CPU(cpu), change_clock, RUN_ON_CPU_NULL);
}

void board_start_transitions(X86CPU *cpu)
{
    struct board *board = &cpu->debug_store->board;

    board->transitions.cpu = cpu;
    board->transitions.rate = board->transition_rate;
    board->transitions.happens = let_clock_change;
    board_start(&board->transitions);
}
