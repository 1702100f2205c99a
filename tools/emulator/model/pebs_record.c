// SPDX-License-Identifier: GPL-2.0-or-later
#include "pebs_record.h"

#include <string.h>

#include "area.h"
#include "counter.h"
#include "lbr.h"
#include "linear.h"
#include "pebs.h"
#include "perf_capabilities.h"

/* General registers by their encoding. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 };

/* Order in formats 0 to 3 and in the 32-bit one; the adaptive one follows the encoding (F3.47). */
static const uint8_t classic_order[16] = {RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP,
                                          8,   9,   10,  11,  12,  13,  14,  15};

#define LATENCY_MOST 0xffffull

/* A record while it grows, field by field. */
struct writer {
    uint8_t *bytes;
    size_t size;
    size_t field; /* bytes */
};

static void put(struct writer *writer, uint64_t value)
{
    area_put_field(writer->bytes + writer->size, writer->field, value);
    writer->size += writer->field;
}

static uint64_t time_now(const struct ds_host *host)
{
    return host->tsc ? host->tsc(host->opaque) : 0;
}

/* Outside IA-32e mode registers have 32 bits, and R8 to R15 are not there (F3.49). */
static struct ds_registers read_registers(const struct ds_cpu *cpu, const struct ds_host *host)
{
    struct ds_registers registers = {0};

    if (host->registers) {
        host->registers(host->opaque, &registers);
    }
    for (unsigned i = 0; !cpu->long_mode_active && i < 16; i++) {
        registers.general[i] = i < R8 ? (uint32_t)registers.general[i] : 0;
    }
    return registers;
}

static void put_general(struct writer *writer, const struct ds_cpu *cpu,
                        const struct ds_registers *registers, unsigned count)
{
    bool saved = !cpu->profile.pdcm ||
                 perf_capabilities_has(&cpu->profile, PERF_CAPABILITIES_PEBS_REGISTERS);

    for (unsigned i = 0; i < count; i++) {
        put(writer, saved ? registers->general[classic_order[i]] : 0);
    }
}

/* Formats 0 to 3, each the one before and something more (F3.42-F3.45). */
static void put_classic(struct writer *writer, const struct ds_cpu *cpu, const struct ds_host *host,
                        const struct pebs_event *event)
{
    struct ds_registers registers = read_registers(cpu, host);
    unsigned format = pebs_format(&cpu->profile);
    bool narrow = writer->field == 4;

    put(writer, registers.rflags);
    put(writer, linear_address(cpu, event->instruction->next));
    put_general(writer, cpu, &registers, narrow ? 8 : 16);
    if (narrow || format == 0) {
        return;
    }
    put(writer, format >= 3 ? event->counters : event->status);
    put(writer, 0); /* data linear address, source and latency: no event here has data */
    put(writer, 0);
    put(writer, 0);
    if (format >= 2) {
        put(writer, linear_address(cpu, event->instruction->ip));
        put(writer, 0); /* TX info */
    }
    if (format >= 3) {
        put(writer, time_now(host));
    }
}

static void put_adaptive_registers(struct writer *writer, const struct ds_cpu *cpu,
                                   const struct ds_registers *registers,
                                   const struct pebs_event *event)
{
    put(writer, registers->rflags);
    put(writer, linear_address(cpu, event->instruction->next));
    for (unsigned i = 0; i < 16; i++) {
        put(writer, registers->general[i]);
    }
}

static void put_lbrs(struct writer *writer, const struct ds_cpu *cpu, unsigned count)
{
    for (unsigned age = 0; age < count && age < lbr_depth_told(&cpu->profile); age++) {
        struct lbr_entry entry = lbr_entry(cpu, age);
        put(writer, entry.from);
        put(writer, entry.to);
        put(writer, entry.info);
    }
}

/* What of MSR_PEBS_DATA_CFG applies: nothing unless one of the counters asks for it (F3.48). */
static uint64_t data_config(const struct ds_cpu *cpu, uint64_t counters)
{
    for (uint64_t rest = counters; rest; rest &= rest - 1) {
        if (counter_is_adaptive(cpu, counter_first(rest))) {
            return cpu->pebs_data_config;
        }
    }
    return 0;
}

/* Cycles since the retirement before this one, as far as 16 bits go (F22.11, F22.13). */
static uint64_t retire_latency(const struct ds_cpu *cpu, uint64_t now)
{
    bool timed = perf_capabilities_has(&cpu->profile, PERF_CAPABILITIES_PEBS_TIMED);
    uint64_t cycles = timed && cpu->retired_at ? now - cpu->retired_at : 0;

    return cycles < LATENCY_MOST ? cycles : LATENCY_MOST;
}

static void put_adaptive(struct writer *writer, const struct ds_cpu *cpu,
                         const struct ds_host *host, const struct pebs_event *event)
{
    struct ds_registers registers = read_registers(cpu, host);
    uint64_t config = data_config(cpu, event->counters), now = time_now(host);

    put(writer, config); /* the size comes in at the end */
    put(writer, linear_address(cpu, event->instruction->ip));
    put(writer, event->counters);
    put(writer, now);
    for (unsigned i = 0; config & DATA_CONFIG_MEMORY && i < 4; i++) {
        put(writer, 0);
    }
    if (config & DATA_CONFIG_REGISTERS) {
        put_adaptive_registers(writer, cpu, &registers, event);
    }
    for (unsigned i = 0; config & DATA_CONFIG_XMM && i < 16; i++) {
        put(writer, registers.xmm[i][0]);
        put(writer, registers.xmm[i][1]);
    }
    if (config & DATA_CONFIG_LBR) {
        put_lbrs(writer, cpu, (config >> DATA_CONFIG_LBR_SHIFT & 0xff) + 1);
    }
    config |= retire_latency(cpu, now) << 32;
    area_put_field(writer->bytes, 8, config | (uint64_t)writer->size << 48);
}

size_t pebs_record(const struct ds_cpu *cpu, const struct ds_host *host,
                   const struct pebs_event *event, uint8_t record[PEBS_RECORD_MAX])
{
    struct writer writer = {record, 0, area_field_size(cpu)};

    if (writer.field == 8 && pebs_format(&cpu->profile) >= 4) {
        put_adaptive(&writer, cpu, host, event);
    } else {
        put_classic(&writer, cpu, host, event);
    }
    return writer.size;
}
