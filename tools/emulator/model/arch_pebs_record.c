// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch_pebs_record.h"

#include "area.h"
#include "counter.h"
#include "linear.h"

/* CFG_C of a counter (F22.33), and the header of a fragment (F22.34), which says at the same places
 * what it holds. */
#define ALLOW_IN_RECORD (1ull << 35)
#define GROUP_GENERAL   (1ull << 36)
#define GROUP_FIXED     (1ull << 37)
#define GROUP_METRICS   (1ull << 38)
#define GROUP_LBR       (3ull << 40)
#define GROUP_LBR_SHIFT 40
#define GROUP_XMM       (1ull << 49)
#define GROUP_YMM_HIGH  (1ull << 50)
#define GROUP_REGISTERS (1ull << 61)
#define GROUP_AUX       (1ull << 62)
#define GROUP_BASIC     (1ull << 63) /* of the header; in CFG_C that is PEBS itself */

#define GROUPS_COUNTERS (GROUP_GENERAL | GROUP_FIXED | GROUP_METRICS)
#define GROUPS_VECTORS  (GROUP_XMM | GROUP_YMM_HIGH)
#define GROUPS_LATER    (GROUPS_COUNTERS | GROUP_LBR | GROUPS_VECTORS)

#define HEADER_64_BIT    (1ull << 30)
#define HEADER_CONTINUED (1ull << 31)

#define FIELD         8
#define UNIT          16 /* of WR (F22.31) */
#define WIDE_UNIT     64 /* a line of the caches */
#define LATENCY_VALID (1ull << 16)
#define STATE_SSE     2 /* as in XCR0 */
#define STATE_AVX     4

/* What a record holds is what any of its counters asks for. */
static uint64_t groups_of(const struct ds_cpu *cpu, uint64_t counters)
{
    uint64_t groups = 0;

    for (uint64_t rest = counters; rest; rest &= rest - 1) {
        groups |= cpu->config_c[counter_place(counter_first(rest))];
    }
    return groups & (GROUPS_LATER | GROUP_REGISTERS | GROUP_AUX);
}

/* The counters that may stand in a record, of the kinds that it asks for. Whether that of the
 * record itself needs the permission too, no text says. */
static uint64_t counters_to_tell(const struct ds_cpu *cpu, uint64_t groups, uint64_t own)
{
    uint64_t counters = 0;

    for (uint64_t rest = cpu->profile.arch_pebs_counters; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool asked = groups & (number < COUNTER_FIXED ? GROUP_GENERAL : GROUP_FIXED);
        bool allowed = cpu->config_c[counter_place(number)] & ALLOW_IN_RECORD ||
                       (cpu->variation.arch_pebs_tells_own && own >> number & 1);

        counters |= (uint64_t)(asked && allowed) << number;
    }
    return counters;
}

static void put_zeroes(struct pebs_writer *writer, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        pebs_put(writer, 0);
    }
}

static void put_basic(struct pebs_writer *writer, const struct ds_cpu *cpu,
                      const struct ds_host *host, const struct pebs_event *event)
{
    const struct ds_instruction *instruction = event->instruction;
    uint64_t address = cpu->variation.arch_pebs_ip_next ? instruction->next : instruction->ip;
    uint64_t now = pebs_time(host);
    bool timed = pebs_latency_is_known(cpu, event->counters);

    pebs_put(writer, linear_address(cpu, address));
    pebs_put(writer, event->counters);
    pebs_put(writer, now);
    pebs_put(writer, timed ? pebs_retire_latency(cpu, now, event->counters) | LATENCY_VALID : 0);
    put_zeroes(writer, 2);
}

static void put_vectors(struct pebs_writer *writer, const struct ds_registers *registers,
                        uint64_t groups)
{
    /* What the header of this group says is not documented: here, which state follows. */
    pebs_put(writer,
             (groups & GROUP_XMM ? STATE_SSE : 0) | (groups & GROUP_YMM_HIGH ? STATE_AVX : 0));
    pebs_put(writer, 0);
    if (groups & GROUP_XMM) {
        pebs_put_xmm(writer, registers);
    }
    for (unsigned i = 0; groups & GROUP_YMM_HIGH && i < 16; i++) {
        pebs_put(writer, registers->ymm_high[i][0]);
        pebs_put(writer, registers->ymm_high[i][1]);
    }
}

static void put_lbrs(struct pebs_writer *writer, const struct ds_cpu *cpu, uint64_t groups)
{
    static const unsigned entries[] = {0, 8, 16, DS_LBR_DEPTH_MAX};

    pebs_put(writer, 0);
    pebs_put(writer, cpu->lbr_control);
    pebs_put(writer, cpu->lbr_depth);
    pebs_put(writer, cpu->ler_from);
    pebs_put(writer, cpu->ler_to);
    pebs_put(writer, cpu->ler_info);
    pebs_put_lbrs(writer, cpu, entries[(groups & GROUP_LBR) >> GROUP_LBR_SHIFT]);
}

/* The header comes in at the end, when the size is known; a fragment fills whole units. */
static size_t begin_fragment(struct pebs_writer *writer)
{
    size_t start = writer->size;

    put_zeroes(writer, 2);
    return start;
}

static void end_fragment(struct pebs_writer *writer, const struct ds_cpu *cpu, size_t start,
                         uint64_t header)
{
    size_t unit = cpu->variation.arch_pebs_wide_unit ? WIDE_UNIT : UNIT;

    put_zeroes(writer, (unit - (writer->size - start) % unit) % unit / FIELD);
    area_put_field(writer->bytes + start, FIELD, header | (writer->size - start));
}

static void put_later_groups(struct pebs_writer *writer, const struct ds_cpu *cpu,
                             const struct ds_host *host, const struct pebs_event *event,
                             uint64_t groups)
{
    struct ds_registers registers = pebs_registers(cpu, host);

    if (groups & GROUPS_VECTORS) {
        put_vectors(writer, &registers, groups);
    }
    if (groups & GROUP_LBR) {
        put_lbrs(writer, cpu, groups);
    }
    if (groups & GROUPS_COUNTERS) {
        uint64_t counters = counters_to_tell(cpu, groups, event->counters);
        pebs_put_counters(writer, cpu, host, event, counters, groups & GROUP_METRICS);
    }
}

size_t arch_pebs_record(const struct ds_cpu *cpu, const struct ds_host *host,
                        const struct pebs_event *event, uint8_t record[ARCH_PEBS_RECORD_MAX])
{
    struct pebs_writer writer = {record, 0, FIELD};
    struct ds_registers registers = pebs_registers(cpu, host);
    uint64_t groups = groups_of(cpu, event->counters), later = groups & GROUPS_LATER;
    uint64_t header = GROUP_BASIC | (event->instruction->code_64 ? HEADER_64_BIT : 0);
    bool split = cpu->variation.arch_pebs_split && later;
    size_t start = begin_fragment(&writer);

    put_basic(&writer, cpu, host, event);
    if (groups & GROUP_AUX) {
        put_zeroes(&writer, 8); /* no event here has data */
    }
    if (groups & GROUP_REGISTERS) {
        pebs_put_registers(&writer, cpu, &registers, event);
        put_zeroes(&writer, 2); /* SSP: there is no shadow stack */
    }
    if (split) {
        end_fragment(&writer, cpu, start, header | (groups & ~later) | HEADER_CONTINUED);
        start = begin_fragment(&writer);
        header &= ~GROUP_BASIC;
        groups = later;
    }
    put_later_groups(&writer, cpu, host, event, later);
    end_fragment(&writer, cpu, start, header | groups);
    return writer.size;
}
