// SPDX-License-Identifier: GPL-2.0-or-later
#include "pebs.h"

#include "arch_pebs.h"
#include "area.h"
#include "counter.h"
#include "errata.h"
#include "family.h"
#include "global_status.h"
#include "pebs_record.h"
#include "perf_capabilities.h"

#define PAGE            4096
#define FORMAT_ADAPTIVE 4

bool pebs_exists(const struct ds_profile *profile)
{
    return profile->ds && !profile->pebs_unavailable && profile->general_counters > 0 &&
           !arch_pebs_exists(profile);
}

unsigned pebs_format(const struct ds_profile *profile)
{
    return profile->pdcm ? profile->perf_capabilities >> 8 & 0xf : 0;
}

bool pebs_is_adaptive(const struct ds_profile *profile)
{
    return pebs_format(profile) >= FORMAT_ADAPTIVE && !arch_pebs_exists(profile);
}

bool pebs_is_timed(const struct ds_profile *profile)
{
    return perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_TIMED) ||
           arch_pebs_exists(profile);
}

bool pebs_is_fault_like(const struct ds_profile *profile)
{
    return profile->pdcm && pebs_format(profile) == 0 &&
           !perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_TRAP);
}

uint64_t pebs_counters(const struct ds_cpu *cpu)
{
    uint64_t enabled = cpu->pebs_enable & counter_existing(&cpu->profile), counters = 0;
    bool any_event = family_of(&cpu->profile)->pebs_any_event;

    if (arch_pebs_exists(&cpu->profile)) {
        return arch_pebs_counters(cpu);
    }

    for (uint64_t rest = enabled; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool taken = any_event || counter_is_precise(cpu, number);
        counters |= (uint64_t)taken << number;
    }
    return counters;
}

/* Records go to Intel PT instead, which is off here and drops them (F22.16). */
static bool goes_to_trace(const struct ds_cpu *cpu)
{
    return cpu->pebs_enable & PEBS_ENABLE_OUTPUT;
}

bool pebs_reset_value(const struct ds_cpu *cpu, const struct ds_host *host, unsigned number,
                      uint64_t *value)
{
    bool fixed = number >= COUNTER_FIXED;

    if (goes_to_trace(cpu)) {
        *value = cpu->pebs_reload[counter_place(number)];
        return true;
    }
    if (arch_pebs_exists(&cpu->profile)) {
        *value = arch_pebs_reset_value(cpu, number);
        return true;
    }
    return area_read_reset(cpu, host, fixed ? number - COUNTER_FIXED : number, fixed, value);
}

/* Takes the counters out of the armed ones and starts them anew (F3.63). */
static void reload(struct ds_cpu *cpu, const struct ds_host *host, uint64_t counters)
{
    for (uint64_t rest = counters; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        uint64_t value;

        if (pebs_reset_value(cpu, host, number, &value)) {
            value = errata_pebs_reload(cpu, number, value);
            *counter_value(cpu, number) = value & counter_value_bits(&cpu->profile, number);
            counter_loaded(cpu, number);
        }
    }
}

/* Stores the record where the index points. False if it does not fit or memory is out of reach. */
static bool store(struct ds_cpu *cpu, const struct ds_host *host, struct area_buffer *buffer,
                  const struct pebs_event *event)
{
    uint8_t record[PEBS_RECORD_MAX];
    size_t size = pebs_record(cpu, host, event, record);

    if (buffer->index >= buffer->maximum || buffer->maximum - buffer->index < size ||
        !host->write(host->opaque, buffer->index, record, size)) {
        return false;
    }
    buffer->index += size;
    return area_write_index(cpu, host, AREA_PEBS, buffer->index);
}

/* After a record; true when the interrupt is due, and STATUS says why (F3.64). */
static bool reaches_threshold(struct ds_cpu *cpu, const struct area_buffer *buffer)
{
    if (buffer->index < buffer->threshold) {
        return false;
    }
    if (buffer->index == buffer->threshold && errata_delays_pebs_pmi(cpu)) {
        return false;
    }
    cpu->global_status |= STATUS_OVFBUF;
    return true;
}

/* How many instructions are left until this counter is armed. */
static uint32_t *instructions_to_go(struct ds_cpu *cpu, unsigned number)
{
    return &cpu->pebs_instructions[counter_place(number)];
}

void pebs_arm(struct ds_cpu *cpu, uint64_t counters)
{
    if (cpu->variation.pebs_skid == 0) {
        cpu->pebs_armed |= counters;
        return;
    }
    cpu->pebs_arming |= counters;
    for (uint64_t rest = counters; rest; rest &= rest - 1) {
        *instructions_to_go(cpu, counter_first(rest)) = cpu->variation.pebs_skid;
    }
}

void pebs_settle(struct ds_cpu *cpu)
{
    cpu->pebs_armed |= cpu->pebs_arming;
    cpu->pebs_arming = 0;
    cpu->retired_at = 0; /* how long ago the newest instruction retired says nothing now */
}

void pebs_forget(struct ds_cpu *cpu, uint64_t counters)
{
    cpu->pebs_armed &= ~counters;
    cpu->pebs_arming &= ~counters;
}

void pebs_before_event(struct ds_cpu *cpu)
{
    bool wanted = cpu->variation.snapshot_before_event && pebs_counters(cpu);

    for (uint64_t rest = wanted ? counter_existing(&cpu->profile) : 0; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);

        cpu->before_event[counter_place(number)] = *counter_value(cpu, number);
    }
}

void pebs_after_instruction(struct ds_cpu *cpu)
{
    for (uint64_t rest = cpu->pebs_arming; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        uint64_t ready = --*instructions_to_go(cpu, number) == 0 ? 1ull << number : 0;

        cpu->pebs_armed |= ready;
        cpu->pebs_arming &= ~ready;
    }
}

bool pebs_hangs(const struct ds_cpu *cpu, const struct ds_host *host)
{
    struct area_buffer buffer;

    return cpu->profile.pebs_page_hang && cpu->pebs_enable & counter_existing(&cpu->profile) &&
           area_read_buffer(cpu, host, AREA_PEBS, &buffer) &&
           (buffer.maximum - 1) / PAGE > buffer.base / PAGE;
}

void pebs_delivered(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (pebs_is_fault_like(&cpu->profile) && host->registers && pebs_counters(cpu)) {
        host->registers(host->opaque, &cpu->pebs_before);
    }
}

/* Told in the next record, if that can (F22.13); to ask for the time takes time. */
void pebs_retired(struct ds_cpu *cpu, const struct ds_host *host)
{
    bool asked = pebs_is_timed(&cpu->profile) && host->tsc && pebs_counters(cpu);

    cpu->retired_at = asked ? host->tsc(host->opaque) : 0;
    pebs_delivered(cpu, host); /* the next instruction begins as this one ended */
}

/* The addresses of a record: those of the state before, if records have that (F3.62), and without
 * the segment's base on some processors (F3.41). */
static void address(const struct ds_cpu *cpu, struct ds_instruction *instruction)
{
    if (pebs_is_fault_like(&cpu->profile)) {
        instruction->next = instruction->ip;
        instruction->next_base = instruction->base;
    }
    if (cpu->variation.pebs_address == DS_ADDRESS_EFFECTIVE) {
        instruction->ip -= instruction->base;
        instruction->next -= instruction->next_base;
    }
}

/* The record is lost, and interrupts by itself if that is asked for. */
static bool trace_assist(struct ds_cpu *cpu, const struct ds_host *host, uint64_t counters)
{
    reload(cpu, host, counters);
    return cpu->pebs_enable & PEBS_ENABLE_PMI;
}

bool pebs_assist(struct ds_cpu *cpu, const struct ds_host *host,
                 const struct ds_instruction *instruction, uint64_t counters)
{
    struct ds_instruction told = *instruction;
    struct pebs_event event = {&told, counters, cpu->global_status};
    struct area_buffer buffer;

    errata_pebs_event(cpu, &told, &event);
    address(cpu, &told);
    pebs_forget(cpu, counters);
    if (arch_pebs_exists(&cpu->profile)) {
        return arch_pebs_assist(cpu, host, &event);
    }
    cpu->global_status &= ~counters;
    if (goes_to_trace(cpu)) {
        return trace_assist(cpu, host, counters);
    }
    if (!area_read_buffer(cpu, host, AREA_PEBS, &buffer)) {
        return false;
    }
    if (family_of(&cpu->profile)->pebs_checks_index &&
        (buffer.index < buffer.base || buffer.index > buffer.maximum)) { /* F3.66: no reload */
        cpu->global_status |= STATUS_OVFBUF;
        return false;
    }
    bool stored = store(cpu, host, &buffer, &event);
    /* A full buffer costs records, not the rhythm: sampling goes on once there is room (F3.65). */
    reload(cpu, host, counters);
    return stored && reaches_threshold(cpu, &buffer);
}
