// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata of PEBS: when a record is made, and what it says. */
#include "debugctl.h"
#include "errata.h"
#include "global_status.h"
#include "pebs.h"

#define STI          0xfb
#define POP_SS       0x17
#define MOV_TO_SEG   0x8e
#define REGISTER_SS  2
#define C0_01        0x01c0u
#define SHORT_PERIOD 100

/* STI, MOV SS and POP SS: interrupts wait for the instruction after it. */
static bool casts_shadow(const struct ds_host *host, uint64_t ip)
{
    uint8_t bytes[2] = {0, 0};

    if (!host->read(host->opaque, ip, &bytes[0], 1)) {
        return false;
    }
    if (bytes[0] == MOV_TO_SEG && host->read(host->opaque, ip + 1, &bytes[1], 1)) {
        return (bytes[1] >> 3 & 7) == REGISTER_SS;
    }
    return bytes[0] == STI || bytes[0] == POP_SS;
}

/* The counters whose record waits for their next event; none waits twice. */
static uint64_t skips_event(struct ds_cpu *cpu, uint64_t ready)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;
    uint64_t fresh = ready & ~memory->pebs_skipped;

    memory->pebs_skipped &= ~ready;
    if (fresh && fault(cpu, FAULT_PEBS_SECOND_EVENT)) {
        memory->pebs_skipped |= fresh;
        return fresh;
    }
    return 0;
}

uint64_t errata_pebs_ready(struct ds_cpu *cpu, const struct ds_host *host,
                           const struct ds_instruction *instruction, uint64_t ready)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;

    if (!faults_are_on(cpu) || cpu->in_smm) {
        return ready;
    }
    uint64_t due = (memory->pebs_due & cpu->pebs_enable) | memory->pebs_disabled;

    memory->pebs_due = 0;
    memory->pebs_disabled = 0;
    ready &= ~skips_event(cpu, ready);
    if (ready && fault_is_on(cpu, FAULT_PEBS_SHADOW_LATE) && casts_shadow(host, instruction->ip) &&
        fault(cpu, FAULT_PEBS_SHADOW_LATE)) {
        memory->pebs_due = ready;
        ready = 0;
    }
    return ready | due;
}

void errata_pebs_event(struct ds_cpu *cpu, struct ds_instruction *instruction,
                       struct pebs_event *event)
{
    const struct ds_errata_memory *memory = &cpu->errata_memory;
    bool fell_through = instruction->branch && !memory->taken;
    uint64_t sampling = pebs_counters(cpu);

    if (memory->older_ip && (fault(cpu, FAULT_EVENTING_IP_OLD) ||
                             (fell_through && fault(cpu, FAULT_EVENTING_IP_BEFORE_JCC)))) {
        instruction->ip = memory->older_ip;
    }
    if (sampling & (sampling - 1) && fault(cpu, FAULT_PEBS_STATUS_MERGED)) {
        event->status |= sampling;
    }
}

bool errata_delays_pebs_pmi(struct ds_cpu *cpu)
{
    if (cpu->errata_memory.pebs_pmi_wait || !fault(cpu, FAULT_PEBS_PMI_DELAYED)) {
        return false;
    }
    cpu->errata_memory.pebs_pmi_wait = 2; /* this record and the next */
    return true;
}

bool errata_pebs_pmi(struct ds_cpu *cpu, bool due)
{
    uint32_t *wait = &cpu->errata_memory.pebs_pmi_wait;

    if (*wait == 0 || --*wait > 0) {
        return due;
    }
    if (debugctl_is_set(cpu, DEBUGCTL_FREEZE_PERFMON_ON_PMI) ||
        !fault_is_on(cpu, FAULT_OVFBUF_NEEDS_FREEZE)) {
        cpu->global_status |= STATUS_OVFBUF;
    }
    return true;
}

uint64_t errata_pebs_reload(struct ds_cpu *cpu, unsigned number, uint64_t value)
{
    uint64_t period = (0 - value) & counter_value_bits(&cpu->profile, number);
    bool distributed = number == 1 && (cpu->general_select[1] & 0xffff) == C0_01;

    if (distributed && period < SHORT_PERIOD && fault(cpu, FAULT_PEBS_RELOAD_SHORT)) {
        return value - 1;
    }
    return value;
}
