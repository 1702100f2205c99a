// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata of the counters and of the interrupt of their overflow. */
#include "debugctl.h"
#include "errata.h"
#include "freeze.h"
#include "opcode.h"
#include "pmi.h"

#define FIXED_2 (1ull << (COUNTER_FIXED + 2))

/* An interrupt that comes again: how long after the first, how long between, how often at most. */
#define LATER       5000
#define AGAIN_AFTER 100
#define AGAIN_MOST  20

/* An overflow is as good as simultaneous with WRMSR while the registers of that are loaded. */
#define SIMULTANEOUS 4

#define IRET 0xcf

static bool is_string_move(uint8_t opcode)
{
    return opcode == 0xa4 || opcode == 0xa5 || opcode == 0xaa || opcode == 0xab; /* MOVS, STOS */
}

/* The errata that depend on which instruction it is. */
static unsigned counted_again(struct ds_cpu *cpu, const struct ds_host *host, uint64_t ip)
{
    bool repeated;

    if (!fault_is_on(cpu, FAULT_STRING_COUNTED_TWICE) &&
        !fault_is_on(cpu, FAULT_IRET_COUNTED_TWICE)) {
        return 0;
    }
    uint8_t opcode = opcode_at(cpu, host, ip, &repeated);

    if (opcode == IRET) {
        return fault(cpu, FAULT_IRET_COUNTED_TWICE);
    }
    return repeated && is_string_move(opcode) && fault(cpu, FAULT_STRING_COUNTED_TWICE);
}

void errata_cycle(struct ds_cpu *cpu, const struct ds_host *host,
                  const struct ds_instruction *instruction, struct counter_cycle *cycle)
{
    if (!faults_are_on(cpu)) {
        return;
    }
    cycle->instructions += counted_again(cpu, host, instruction->ip);
    if (fault(cpu, FAULT_INSTRUCTIONS_INEXACT)) {
        cycle->instructions = chance(cpu, 2) ? 0 : 2;
    }
    if (cycle->branch && fault(cpu, FAULT_MISPREDICT_EXTRA)) {
        cycle->mispredicted = true;
    }
}

/* One of OS and USR, and not both. */
static bool is_of_one_ring(const struct ds_cpu *cpu, unsigned number, bool *user)
{
    bool general = number < COUNTER_FIXED;
    uint64_t rings = general ? cpu->general_select[number] : counter_fixed_field(cpu, number);
    bool os = rings & (general ? PERFEVTSEL_OS : FIXED_OS);

    *user = rings & (general ? PERFEVTSEL_USR : FIXED_USR);
    return os != *user;
}

bool errata_counter_pauses(const struct ds_cpu *cpu, unsigned number)
{
    bool user;

    if (!faults_are_on(cpu)) {
        return false;
    }
    bool one_ring = is_of_one_ring(cpu, number, &user);
    bool general = number < COUNTER_FIXED;

    return (general && cpu->errata_memory.flush_due) || (cpu->errata_memory.pause && one_ring) ||
           (general && number >= 4 && one_ring && user && fault_is_on(cpu, FAULT_UPPER_USER_DEAD));
}

bool errata_counts_other_ring(struct ds_cpu *cpu, unsigned number)
{
    uint64_t select = number < COUNTER_FIXED ? cpu->general_select[number] : 0;
    bool user;

    return select & PERFEVTSEL_INV && select & PERFEVTSEL_CMASK &&
           is_of_one_ring(cpu, number, &user) && fault(cpu, FAULT_INVERTED_OTHER_RING);
}

uint64_t errata_overflow_status(struct ds_cpu *cpu, uint64_t wrapped)
{
    cpu->errata_memory.overflowed |= wrapped;
    cpu->errata_memory.overflowed_for = SIMULTANEOUS + 1;

    uint64_t fixed = wrapped >> COUNTER_FIXED << COUNTER_FIXED;
    uint64_t later = fixed & (fixed - 1); /* all but the first */

    if (later && debugctl_is_set(cpu, DEBUGCTL_FREEZE_PERFMON_ON_PMI) &&
        fault(cpu, FAULT_CLOSE_OVERFLOW_LOST)) {
        return wrapped & ~later;
    }
    return wrapped;
}

void errata_after_overflow(struct ds_cpu *cpu, uint64_t signalling)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;

    if (signalling && fault(cpu, FAULT_PMI_UNTIL_CLEARED)) {
        memory->again_after = AGAIN_AFTER;
        memory->again_times = AGAIN_MOST;
        memory->again_while = signalling;
    }
    if (signalling & FIXED_2 && signalling & ~FIXED_2 && fault(cpu, FAULT_FIXED_2_PMI_TWICE)) {
        memory->again_after = LATER;
        memory->again_times = 1;
        memory->again_while = 0;
    }
}

static void interrupt_again(struct ds_cpu *cpu, const struct ds_host *host)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;

    if (memory->again_while && !(memory->again_while & cpu->global_status)) {
        memory->again_times = 0;
    }
    if (memory->again_times && --memory->again_after == 0) {
        memory->again_after = AGAIN_AFTER;
        memory->again_times--;
        pmi_request(cpu, host);
    }
}

/* The counters whose overflow has stuck, once they count again, and whatever they hold. */
static void overflow_again(struct ds_cpu *cpu, const struct ds_host *host)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;
    uint64_t again = memory->overflow_sticks & cpu->counting;

    memory->overflow_sticks &= ~again;
    cpu->global_status |= again;
    if (counter_signalling(cpu, again)) {
        freeze_on_pmi(cpu);
        pmi_request(cpu, host);
    }
}

/* Those that have overflowed of late. */
static void grow_old(struct ds_errata_memory *memory)
{
    memory->overflowed_for -= memory->overflowed_for > 0;
    if (memory->overflowed_for == 0) {
        memory->overflowed = 0;
    }
}

void errata_after_instruction(struct ds_cpu *cpu, const struct ds_host *host,
                              const struct ds_instruction *instruction)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;

    if (!faults_are_on(cpu)) {
        return;
    }
    interrupt_again(cpu, host);
    overflow_again(cpu, host);
    grow_old(memory);
    memory->pause -= memory->pause > 0;
    memory->older_ip = instruction->ip;
    memory->taken = false;
}

bool errata_want_instructions(const struct ds_cpu *cpu)
{
    return cpu->errata_memory.again_times > 0 || cpu->errata_memory.pebs_disabled;
}
