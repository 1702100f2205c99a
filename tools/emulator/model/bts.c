// SPDX-License-Identifier: GPL-2.0-or-later
#include "bts.h"

#include "area.h"
#include "debugctl.h"
#include "errata.h"
#include "fault.h"
#include "fault_record.h"
#include "global_status.h"
#include "lbr.h"
#include "linear.h"

#define FIELDS_OF_A_RECORD 3
#define LARGEST_RECORD     (FIELDS_OF_A_RECORD * 8)
#define FLAGS_PREDICTED    (1u << 4)

#define BOTH_OFF (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)

/* IA32_DEBUGCTL as the store obeys it. */
static uint64_t setting(const struct ds_cpu *cpu)
{
    uint64_t latched = DEBUGCTL_BTS | DEBUGCTL_BTINT | BOTH_OFF;

    if (!fault_is_on(cpu, FAULT_SETTING_LATCHED)) {
        return cpu->debugctl;
    }
    return (cpu->debugctl & ~latched) | (cpu->fault_memory.setting & latched);
}

static bool is_set(const struct ds_cpu *cpu, uint64_t bits)
{
    return (setting(cpu) & bits) == bits;
}

static bool cpl_is_off(struct ds_cpu *cpu, unsigned cpl)
{
    bool btint = is_set(cpu, DEBUGCTL_BTINT);
    bool inner = cpl == 0 || (cpl < 3 && fault_is_on(cpu, FAULT_OFF_OUTER_RINGS_AS_OS));
    bool os = inner != fault_is_on(cpu, FAULT_OFF_BITS_EXCHANGED);

    if (fault(cpu, os ? FAULT_OFF_OS_IGNORED : FAULT_OFF_USR_IGNORED) ||
        fault(cpu, btint ? FAULT_OFF_BITS_CONTRA_BTINT : FAULT_OFF_BITS_NEED_BTINT) ||
        (btint && fault(cpu, os ? FAULT_OFF_OS_CONTRA_BTINT : FAULT_OFF_USR_CONTRA_BTINT))) {
        return false;
    }
    return is_set(cpu, os ? DEBUGCTL_BTS_OFF_OS : DEBUGCTL_BTS_OFF_USR);
}

/* Debug exceptions are left out of the LBR stack; of the store the manual says nothing (F4.7). */
static bool is_left_out(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    if (cpu->variation.select_filters_bts && branch->kind != DS_BRANCH_DEBUG_EXCEPTION &&
        lbr_is_suppressed(cpu, branch)) {
        return true; /* the manual of 2008 has MSR_LBR_SELECT filter the store too: D 16 */
    }
    return branch->kind == DS_BRANCH_DEBUG_EXCEPTION && cpu->variation.debug_not_stored;
}

/* Whether the filter does not see the branch; each of these stays in its ring. */
static bool is_overlooked(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    if (branch->old_cpl != branch->new_cpl) {
        return false;
    }
    return (branch->kind >= DS_BRANCH_INTERRUPT && fault(cpu, FAULT_OFF_MISSES_EVENTS)) ||
           (branch->kind == DS_BRANCH_FAR && fault(cpu, FAULT_OFF_MISSES_FAR));
}

/* Whether the filter takes out what is not its own; each of these stays in its ring, too. */
static bool is_caught_in_filter(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    if (branch->old_cpl != branch->new_cpl || !(setting(cpu) & BOTH_OFF)) {
        return false;
    }
    return (branch->kind >= DS_BRANCH_INTERRUPT && fault(cpu, FAULT_OFF_LOSES_EVENTS)) ||
           (branch->kind == DS_BRANCH_FAR && fault(cpu, FAULT_OFF_LOSES_FAR));
}

/* Table 17-6; the manual does not say which end of a ring crossing decides (F4.30). */
static bool is_selected(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool old_on = !cpl_is_off(cpu, branch->old_cpl);
    bool new_on = !cpl_is_off(cpu, branch->new_cpl);

    if (is_set(cpu, BOTH_OFF)) {
        return true; /* no healthy processor comes here (bts_is_on) */
    }
    if (is_overlooked(cpu, branch)) {
        return true;
    }
    if (is_caught_in_filter(cpu, branch)) {
        return false;
    }
    switch (cpu->variation.crossing) {
    case DS_CROSSING_NEW:
        return new_on;
    case DS_CROSSING_BOTH:
        return old_on || new_on;
    default:
        return old_on;
    }
}

bool bts_is_on(const struct ds_cpu *cpu)
{
    bool bts_ignored = fault_is_on(cpu, FAULT_BTS_BIT_IGNORED) &&
                       debugctl_existing_bits(&cpu->profile) & DEBUGCTL_BTS;
    uint64_t needed =
        (fault_is_on(cpu, FAULT_TR_IGNORED) ? 0 : DEBUGCTL_TR) | (bts_ignored ? 0 : DEBUGCTL_BTS);

    if (cpu->variation.freeze_stops_bts && cpu->global_status & STATUS_LBR_FRZ) {
        return false; /* no text says whether a freeze stops the store: F7.13 */
    }
    if (fault_is_on(cpu, FAULT_LEGACY_MODE_DEAD) && !cpu->long_mode_active) {
        return false;
    }
    return (!cpu->in_smm || fault_is_on(cpu, FAULT_BTS_IN_SMM)) &&
           (is_set(cpu, needed) || cpu->fault_memory.bts_goes_on) &&
           (!is_set(cpu, BOTH_OFF) || fault_is_on(cpu, FAULT_BOTH_OFF_STORES));
}

/* The three readings of the absolute maximum (F3.22). */
static bool record_fits(const struct ds_cpu *cpu, const struct area_buffer *buffer, size_t size)
{
    uint64_t room = buffer->maximum - buffer->index;

    if (buffer->index >= buffer->maximum) {
        return false;
    }
    switch (cpu->variation.limit) {
    case DS_LIMIT_A:
        return true;
    case DS_LIMIT_C:
        return room > size;
    default:
        return room >= size;
    }
}

/* The flag is not there on some processors, and means nothing on others (F3.11, SKL088). */
static bool flags_say_predicted(struct ds_cpu *cpu, bool predicted)
{
    switch (cpu->variation.predicted) {
    case DS_PREDICTED_OFF:
        return false;
    case DS_PREDICTED_RANDOM:
        return fault_chance(cpu, 2);
    default:
        return predicted;
    }
}

static bool write_record(struct ds_cpu *cpu, const struct ds_host *host,
                         const struct ds_branch *branch, bool predicted, uint64_t index)
{
    uint8_t bytes[LARGEST_RECORD];
    size_t field = area_field_size(cpu);

    area_put_field(bytes, field, linear_address(cpu, branch->from));
    area_put_field(bytes + field, field, linear_address(cpu, branch->to));
    area_put_field(bytes + 2 * field, field,
                   flags_say_predicted(cpu, predicted) ? FLAGS_PREDICTED : 0);
    return host->write(host->opaque, index, bytes, FIELDS_OF_A_RECORD * field);
}

/* The end of the buffer as the processor sees it; the absolute maximum if it is healthy. */
static uint64_t buffer_end(struct ds_cpu *cpu, uint64_t maximum, size_t size, bool circular)
{
    if (circular && fault(cpu, FAULT_WRAP_EARLY)) {
        return maximum - size;
    }
    return fault(cpu, circular ? FAULT_WRAP_LATE : FAULT_OVERRUN) ? maximum + size : maximum;
}

/* Whether an interrupt is due at this index (F5.1), be it enabled or not. */
static bool is_at_threshold(struct ds_cpu *cpu, const struct area_buffer *buffer, size_t size)
{
    if (fault(cpu, FAULT_THRESHOLD_LATE)) {
        return buffer->index > buffer->threshold && buffer->threshold <= buffer->maximum;
    }
    if (fault(cpu, FAULT_THRESHOLD_MATCH_ONLY)) {
        return buffer->index == buffer->threshold;
    }
    if (buffer->threshold == buffer->maximum && fault(cpu, FAULT_THRESHOLD_AT_MAXIMUM_LOST)) {
        return false;
    }
    uint64_t early = fault(cpu, FAULT_THRESHOLD_EARLY) ? size : 0;

    /* One above the maximum never interrupts, not even where reading (a) passes it (F3.25). */
    return buffer->index + early >= buffer->threshold && buffer->threshold <= buffer->maximum;
}

/* A threshold that is out of reach, and is reached all the same: nothing masks it. */
static bool is_at_maximum(struct ds_cpu *cpu, const struct area_buffer *buffer)
{
    return buffer->threshold > buffer->maximum && buffer->index >= buffer->maximum &&
           fault(cpu, FAULT_THRESHOLD_ABOVE_MAXIMUM);
}

/* The same with BTINT set, and by the record after which none fits. */
static bool is_at_end(struct ds_cpu *cpu, const struct area_buffer *buffer, size_t size)
{
    return buffer->threshold > buffer->maximum && is_set(cpu, DEBUGCTL_BTINT) &&
           !record_fits(cpu, buffer, size) && fault(cpu, FAULT_FULL_INTERRUPTS);
}

/* The buffer is full and not circular: the record is dropped, the index stays (claim BTS-6). */
static enum bts_outcome full(struct ds_cpu *cpu, const struct ds_host *host,
                             const struct area_buffer *buffer)
{
    if (fault(cpu, FAULT_FULL_DISABLES)) {
        cpu->debugctl &= ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS);
    }
    if (fault(cpu, FAULT_FULL_WRAPS)) {
        area_write_index(cpu, host, AREA_BTS, buffer->base);
    }
    return BTS_DROPPED;
}

/* Bytes that are none of the record's, before the base or after the record at index. */
static void spill(struct ds_cpu *cpu, const struct ds_host *host, const struct area_buffer *buffer,
                  size_t size)
{
    static const uint8_t zeroes[8];

    if (buffer->index == buffer->base && fault(cpu, FAULT_UNDERRUN)) {
        host->write(host->opaque, buffer->base - sizeof(zeroes), zeroes, sizeof(zeroes));
    }
    if (fault(cpu, FAULT_TAIL_WRITTEN)) {
        host->write(host->opaque, buffer->index + size, zeroes, sizeof(zeroes));
    }
}

static bool is_circular(struct ds_cpu *cpu)
{
    if (fault_is_on(cpu, FAULT_BTINT_STUCK)) {
        return false;
    }
    return !is_set(cpu, DEBUGCTL_BTINT) || fault_is_on(cpu, FAULT_BTINT_IGNORED);
}

static bool may_interrupt(const struct ds_cpu *cpu)
{
    if (fault_is_on(cpu, FAULT_BTINT_NEEDS_OFF_BIT) && cpu->profile.ds_cpl &&
        !(setting(cpu) & BOTH_OFF)) {
        return false;
    }
    return (is_set(cpu, DEBUGCTL_BTINT) && !fault_is_on(cpu, FAULT_BTINT_IGNORED)) ||
           cpu->variation.btint_clear_interrupts;
}

/* The record to the index, and the index on to the next one. */
static bool put(struct ds_cpu *cpu, const struct ds_host *host, struct area_buffer *buffer,
                const struct ds_branch *branch, bool predicted)
{
    size_t field = area_field_size(cpu), size = FIELDS_OF_A_RECORD * field;

    if (!write_record(cpu, host, branch, predicted, buffer->index)) {
        return false;
    }
    spill(cpu, host, buffer, size);
    size += fault(cpu, FAULT_RECORD_TOO_LONG) ? field : 0;
    buffer->index = linear_address(cpu, buffer->index + size);
    return true;
}

/* Whether the record that has just been put raises the interrupt. */
static bool raises_interrupt(struct ds_cpu *cpu, const struct area_buffer *buffer, size_t size)
{
    bool due = (is_at_threshold(cpu, buffer, size) && may_interrupt(cpu)) ||
               is_at_maximum(cpu, buffer) || is_at_end(cpu, buffer, size);
    bool again = cpu->threshold_met && cpu->variation.threshold_once;

    cpu->threshold_met = due;
    return due && !again;
}

static void wrap(struct ds_cpu *cpu, struct area_buffer *buffer, size_t size)
{
    buffer->index = buffer->base + (fault(cpu, FAULT_WRAP_TO_SECOND) ? size : 0);
    buffer->index &= fault(cpu, FAULT_WRAP_ALIGNS_BASE) ? ~63ull : ~0ull;
}

static enum bts_outcome store(struct ds_cpu *cpu, const struct ds_host *host,
                              const struct ds_branch *branch, bool predicted)
{
    size_t size = FIELDS_OF_A_RECORD * area_field_size(cpu);
    bool circular = is_circular(cpu);
    struct area_buffer buffer;

    if (!area_read_buffer(cpu, host, AREA_BTS, &buffer)) {
        return BTS_DROPPED;
    }
    cpu->threshold_met = cpu->threshold_met && buffer.index >= buffer.threshold;
    buffer.maximum = buffer_end(cpu, buffer.maximum, size, circular);
    bool eager = circular && cpu->variation.wrap == DS_WRAP_EAGER;
    bool wraps = (circular || cpu->variation.full_wraps) && !record_fits(cpu, &buffer, size);

    if (wraps) {
        wrap(cpu, &buffer, size);
    }
    if (!record_fits(cpu, &buffer, size)) {
        return full(cpu, host, &buffer);
    }
    if (wraps && fault(cpu, FAULT_WRAP_LOSES_RECORD)) {
        area_write_index(cpu, host, AREA_BTS, buffer.index);
        return BTS_DROPPED;
    }
    if (!put(cpu, host, &buffer, branch, predicted)) {
        return BTS_DROPPED;
    }
    bool interrupt = raises_interrupt(cpu, &buffer, size);

    if (eager && !record_fits(cpu, &buffer, size)) {
        wrap(cpu, &buffer, size);
    }
    if (!area_write_index(cpu, host, AREA_BTS, buffer.index)) {
        return BTS_DROPPED;
    }
    return interrupt ? BTS_STORED_THRESHOLD : BTS_STORED;
}

enum bts_outcome bts_branch(struct ds_cpu *cpu, const struct ds_host *host,
                            const struct ds_branch *branch, bool predicted)
{
    if (!bts_is_on(cpu) || !is_selected(cpu, branch) || is_left_out(cpu, branch)) {
        return BTS_NOT_SELECTED;
    }
    cpu->fault_memory.bts_goes_on = false;
    if (fault_record_is_lost(cpu, branch)) {
        return BTS_DROPPED;
    }
    struct ds_branch record = fault_record(cpu, branch);
    errata_bts_record(cpu, &record);
    enum bts_outcome outcome = store(cpu, host, &record, predicted);

    if (fault(cpu, FAULT_RECORD_TWICE)) {
        enum bts_outcome again = store(cpu, host, &record, predicted);
        outcome = again > outcome ? again : outcome;
    }
    return outcome;
}

void bts_junk(struct ds_cpu *cpu, const struct ds_host *host)
{
    struct ds_branch junk = fault_record_junk();

    if (bts_is_on(cpu)) {
        store(cpu, host, &junk, false);
    }
}
