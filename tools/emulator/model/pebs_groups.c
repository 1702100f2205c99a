// SPDX-License-Identifier: GPL-2.0-or-later
#include "pebs_groups.h"

#include "area.h"
#include "counter.h"
#include "lbr.h"
#include "linear.h"
#include "pebs.h"
#include "perf_capabilities.h"
#include "slots.h"

#define R8           8 /* by its encoding */
#define LATENCY_MOST 0xffffull

#define METRICS_THERE 3 /* the slots and the metrics follow (F22.8) */

void pebs_put(struct pebs_writer *writer, uint64_t value)
{
    area_put_field(writer->bytes + writer->size, writer->field, value);
    writer->size += writer->field;
}

uint64_t pebs_time(const struct ds_host *host)
{
    return host->tsc ? host->tsc(host->opaque) : 0;
}

bool pebs_latency_is_known(const struct ds_cpu *cpu, uint64_t counters)
{
    bool told = !cpu->variation.fixed_0_untimed || counters != 1ull << COUNTER_FIXED;

    return told && pebs_is_timed(&cpu->profile) && cpu->retired_at;
}

uint64_t pebs_retire_latency(const struct ds_cpu *cpu, uint64_t now, uint64_t counters)
{
    uint64_t cycles = pebs_latency_is_known(cpu, counters) ? now - cpu->retired_at : 0;

    return cycles < LATENCY_MOST ? cycles : LATENCY_MOST;
}

struct ds_registers pebs_registers(const struct ds_cpu *cpu, const struct ds_host *host)
{
    struct ds_registers registers = {0};

    if (pebs_is_fault_like(&cpu->profile)) {
        registers = cpu->pebs_before;
    } else if (host->registers) {
        host->registers(host->opaque, &registers);
    }
    for (unsigned i = 0; !cpu->long_mode_active && i < 16; i++) {
        registers.general[i] = i < R8 ? (uint32_t)registers.general[i] : 0;
    }
    return registers;
}

void pebs_put_registers(struct pebs_writer *writer, const struct ds_cpu *cpu,
                        const struct ds_registers *registers, const struct pebs_event *event)
{
    pebs_put(writer, registers->rflags);
    pebs_put(writer, linear_address(cpu, event->instruction->next));
    for (unsigned i = 0; i < 16; i++) {
        pebs_put(writer, registers->general[i]);
    }
}

void pebs_put_xmm(struct pebs_writer *writer, const struct ds_registers *registers)
{
    for (unsigned i = 0; i < 16; i++) {
        pebs_put(writer, registers->xmm[i][0]);
        pebs_put(writer, registers->xmm[i][1]);
    }
}

/* The entries as they stand, so that FROM is masked as it is there; whether it is was not found
 * (F20.26). */
void pebs_put_lbrs(struct pebs_writer *writer, const struct ds_cpu *cpu, unsigned count)
{
    for (unsigned age = 0; age < count && age < lbr_depth_most(&cpu->profile); age++) {
        struct lbr_entry entry = lbr_entry(cpu, age);

        pebs_put(writer, entry.from);
        pebs_put(writer, entry.to);
        pebs_put(writer, entry.info);
    }
}

/* A counter's value in a record. The manual does not say whether the record or the counter's own
 * event comes first, nor whether the reload is over. */
static uint64_t snapshot(const struct ds_cpu *cpu, const struct ds_host *host,
                         const struct pebs_event *event, unsigned number)
{
    bool own = event->counters >> number & 1;
    uint64_t value = *counter_value((struct ds_cpu *)cpu, number);

    if (cpu->variation.snapshot_before_event) {
        value = cpu->before_event[counter_place(number)];
    }
    if (own && cpu->variation.snapshot_after_reload &&
        !pebs_reset_value(cpu, host, number, &value)) {
        value = 0;
    }
    return value & counter_value_bits(&cpu->profile, number);
}

void pebs_put_counters(struct pebs_writer *writer, const struct ds_cpu *cpu,
                       const struct ds_host *host, const struct pebs_event *event,
                       uint64_t counters, bool metrics)
{
    pebs_put(writer, counters); /* both masks, of 32 bits each */
    pebs_put(writer, metrics ? METRICS_THERE : 0);
    for (uint64_t rest = counters; rest; rest &= rest - 1) {
        pebs_put(writer, snapshot(cpu, host, event, counter_first(rest)));
    }
    if (metrics) { /* and the slots that they are fractions of */
        pebs_put(writer, cpu->fixed[SLOTS_COUNTER - COUNTER_FIXED]);
        pebs_put(writer, slots_metrics(cpu));
    }
}
