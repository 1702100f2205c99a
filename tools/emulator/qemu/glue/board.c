// SPDX-License-Identifier: GPL-2.0-or-later
/* When a board begins to misbehave, and how it keeps its random times. */
#include "qemu/osdep.h"
#include <math.h>
#include "qemu/guest-random.h"
#include "qemu/main-loop.h"
#include "apic.h"
#include "state.h"

/*
 * The firmware has handed over when the processor that booted goes to long mode by code in ordinary
 * memory. SeaBIOS and GRUB never go there; UEFI firmware does so in its ROM, before it has memory,
 * or below 1 MiB on the processors that it wakes.
 */
#define ORDINARY_MEMORY 0x100000u
#define ROM             0xff000000u

static bool handed_over;

bool board_handed_over(void)
{
    return handed_over;
}

void debug_store_thermal_written(X86CPU *cpu, bool by_smi)
{
    bool firmwares = handed_over && cpu->debug_store->board.thermal_smi && CPU(cpu) == first_cpu;

    if (firmwares && !by_smi) {
        board_stick(cpu);
    }
}

bool debug_store_is_deaf(X86CPU *cpu)
{
    const struct board *board = &cpu->debug_store->board;

    return handed_over && (board->deaf || board->stuck);
}

const char *board_settle(DebugStore *store)
{
    CPUX86State *env = &store->cpu->env;

    store->board.deaf = board_is_listed(store->board.deaf_ids, store->cpu->apic_id);
    store->board.tsc_ahead = board_listed_value(store->board.tscs_ahead, store->cpu->apic_id);
    if (store->board.x2apic_locked) {
        if (!(env->features[FEAT_1_ECX] & CPUID_EXT_X2APIC)) {
            return "x-ds-x2apic-locked needs +x2apic";
        }
        env->features[FEAT_7_0_EDX] |= CPUID_7_0_EDX_ARCH_CAPABILITIES;
    }
    return board_settle_power(store);
}

void board_reset(DebugStore *store, bool init)
{
    store->cpu->env.tsc_offset = store->board.tsc_ahead;
    store->board.halted = false;
    store->board.serves_events = false;
    if (!init) {
        store->board.stuck = false;
        board_reset_power(store);
    }
    if (!init && CPU(store->cpu) == first_cpu) {
        handed_over = false;
    }
}

void board_halts(DebugStore *store)
{
    store->board.halted = true;
    board_power_halts(store);
}

void board_event_comes(DebugStore *store)
{
    store->board.halted = false;
    if (handed_over && store->cpu->env.hflags & HF_LMA_MASK) {
        qatomic_set(&store->board.serves_events, true);
    }
}

int64_t board_random_pause(uint32_t rate)
{
    uint32_t random;

    qemu_guest_getrandom_nofail(&random, sizeof(random));
    return -log((random + 1.0) / (UINT32_MAX + 1.0)) * NANOSECONDS_PER_SECOND / rate;
}

static void wait_for_next(BoardSource *source)
{
    timer_mod(source->timer,
              qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + board_random_pause(source->rate));
}

static void time_has_come(void *opaque)
{
    BoardSource *source = opaque;

    if (handed_over) {
        source->happens(source->cpu, source->what);
        wait_for_next(source);
    }
}

void board_start(BoardSource *source)
{
    if (source->rate > 0) {
        if (!source->timer) {
            source->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, time_has_come, source);
        }
        wait_for_next(source);
    }
}

static void begin(X86CPU *cpu)
{
    if (cpu->debug_store->board.x2apic_locked && cpu->apic_state) {
        debug_store_enter_x2apic(cpu);
    }
    if (cpu->debug_store->board.thermal_smi && cpu->apic_state) {
        debug_store_thermal_by_smi(cpu);
    }
    board_start_smis(cpu);
    board_start_transitions(cpu);
    board_start_strays(cpu);
}

static void hand_over(void)
{
    handed_over = true;
    board_forget_smi_command();
    for (CPUState *cs = first_cpu; cs; cs = CPU_NEXT(cs)) {
        if (debug_store_present(X86_CPU(cs))) {
            begin(X86_CPU(cs));
        }
    }
}

void debug_store_long_mode_begins(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);
    uint64_t ip = env->segs[R_CS].base + env->eip; /* or somewhat before */
    bool locked = bql_locked();

    if (handed_over || !debug_store_present(cpu) || CPU(cpu) != first_cpu ||
        env->hflags & HF_SMM_MASK || ip < ORDINARY_MEMORY || ip >= ROM) {
        return;
    }
    if (!locked) {
        bql_lock();
    }
    hand_over();
    if (!locked) {
        bql_unlock();
    }
}
