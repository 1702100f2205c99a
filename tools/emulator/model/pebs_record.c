// SPDX-License-Identifier: GPL-2.0-or-later
#include "pebs_record.h"

#include "area.h"
#include "counter.h"
#include "linear.h"
#include "pebs.h"
#include "perf_capabilities.h"

/* General registers by their encoding. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* Order in formats 0 to 3 and in the 32-bit one; the adaptive one follows the encoding (F3.47). */
static const uint8_t classic_order[16] = {RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP,
                                          8,   9,   10,  11,  12,  13,  14,  15};

static void put_general(struct pebs_writer *writer, const struct ds_cpu *cpu,
                        const struct ds_registers *registers, unsigned count)
{
    bool saved = !cpu->profile.pdcm ||
                 perf_capabilities_has(&cpu->profile, PERF_CAPABILITIES_PEBS_REGISTERS);

    for (unsigned i = 0; i < count; i++) {
        pebs_put(writer, saved ? registers->general[classic_order[i]] : 0);
    }
}

/* Formats 0 to 3, each the one before and something more (F3.42-F3.45). */
static void put_classic(struct pebs_writer *writer, const struct ds_cpu *cpu,
                        const struct ds_host *host, const struct pebs_event *event)
{
    struct ds_registers registers = pebs_registers(cpu, host);
    unsigned format = pebs_format(&cpu->profile);
    bool narrow = writer->field == 4;

    pebs_put(writer, registers.rflags);
    pebs_put(writer, linear_address(cpu, event->instruction->next));
    put_general(writer, cpu, &registers, narrow ? 8 : 16);
    if (narrow || format == 0) {
        return;
    }
    pebs_put(writer, format >= 3 ? event->counters : event->status);
    pebs_put(writer, 0); /* data linear address, source and latency: no event here has data */
    pebs_put(writer, 0);
    pebs_put(writer, 0);
    if (format >= 2) {
        pebs_put(writer, linear_address(cpu, event->instruction->ip));
        pebs_put(writer, 0); /* TX info */
    }
    if (format >= 3) {
        pebs_put(writer, pebs_time(host));
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

static void put_adaptive(struct pebs_writer *writer, const struct ds_cpu *cpu,
                         const struct ds_host *host, const struct pebs_event *event)
{
    struct ds_registers registers = pebs_registers(cpu, host);
    uint64_t config = data_config(cpu, event->counters), now = pebs_time(host);

    pebs_put(writer, 0); /* comes in at the end */
    pebs_put(writer, linear_address(cpu, event->instruction->ip));
    pebs_put(writer, event->counters);
    pebs_put(writer, now);
    for (unsigned i = 0; config & DATA_CONFIG_MEMORY && i < 4; i++) {
        pebs_put(writer, 0);
    }
    if (config & DATA_CONFIG_REGISTERS) {
        pebs_put_registers(writer, cpu, &registers, event);
    }
    if (config & DATA_CONFIG_XMM) {
        pebs_put_xmm(writer, &registers);
    }
    if (config & DATA_CONFIG_LBR) {
        pebs_put_lbrs(writer, cpu, (config >> DATA_CONFIG_LBR_SHIFT & 0xff) + 1);
    }
    if (config & (DATA_CONFIG_COUNTERS | DATA_CONFIG_METRICS)) {
        uint64_t counters = config & DATA_CONFIG_COUNTERS ? pebs_data_config_counters(config) : 0;
        pebs_put_counters(writer, cpu, host, event, counters, config & DATA_CONFIG_METRICS);
    }
    uint64_t latency = pebs_retire_latency(cpu, now, event->counters), size = writer->size;
    area_put_field(writer->bytes, 8, (config & DATA_CONFIG_TOLD) | latency << 32 | size << 48);
}

size_t pebs_record(const struct ds_cpu *cpu, const struct ds_host *host,
                   const struct pebs_event *event, uint8_t record[PEBS_RECORD_MAX])
{
    struct pebs_writer writer = {record, 0, area_field_size(cpu)};

    if (writer.field == 8 && pebs_is_adaptive(&cpu->profile)) {
        put_adaptive(&writer, cpu, host, event);
    } else {
        put_classic(&writer, cpu, host, event);
    }
    return writer.size;
}
