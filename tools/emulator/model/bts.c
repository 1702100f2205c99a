// SPDX-License-Identifier: GPL-2.0-or-later
#include "bts.h"

#include "area.h"
#include "chance.h"
#include "debugctl.h"
#include "global_status.h"
#include "lbr.h"
#include "linear.h"

#define FIELDS_OF_A_RECORD 3
#define LARGEST_RECORD     (FIELDS_OF_A_RECORD * 8)

#define BOTH_OFF (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)

static bool cpl_is_off(const struct ds_cpu *cpu, unsigned cpl)
{
    bool os = cpl == 0;
    uint64_t bit = os ? DEBUGCTL_BTS_OFF_OS : DEBUGCTL_BTS_OFF_USR;

    return debugctl_is_set(cpu, bit);
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

/* The manual does not say which end of a ring crossing decides (F4.30). */
static bool is_selected(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool old_on = !cpl_is_off(cpu, branch->old_cpl);
    bool new_on = !cpl_is_off(cpu, branch->new_cpl);

    switch (cpu->variation.crossing) {
    case DS_CROSSING_NEW:
        return new_on;
    case DS_CROSSING_BOTH:
        return old_on || new_on;
    default:
        return old_on;
    }
}

/* Table 17-6: TR and BTS store, unless both OFF bits are set. */
bool bts_is_on(const struct ds_cpu *cpu)
{
    uint64_t needed = DEBUGCTL_TR | DEBUGCTL_BTS;

    if (cpu->variation.freeze_stops_bts && cpu->global_status & STATUS_LBR_FRZ) {
        return false; /* no text says whether a freeze stops the store: F7.13 */
    }
    return !cpu->in_smm && debugctl_is_set(cpu, needed) && !debugctl_is_set(cpu, BOTH_OFF);
}

bool bts_takes(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    return bts_is_on(cpu) && is_selected(cpu, branch) && !is_left_out(cpu, branch);
}

/* Table 17-6: with BTINT set the buffer fills up and interrupts, with BTINT clear it is circular.
 */
static bool is_circular(const struct ds_cpu *cpu)
{
    return !debugctl_is_set(cpu, DEBUGCTL_BTINT);
}

static bool may_interrupt(const struct ds_cpu *cpu)
{
    return debugctl_is_set(cpu, DEBUGCTL_BTINT) || cpu->variation.btint_clear_interrupts;
}

bool bts_can_interrupt(const struct ds_cpu *cpu)
{
    return may_interrupt(cpu);
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
        return chance(cpu, 2);
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

/*
 * Whether the record that has just been put raises the interrupt (F5.1). A threshold above the
 * maximum never does, not even where reading (a) passes it (F3.25).
 */
static bool raises_interrupt(struct ds_cpu *cpu, const struct area_buffer *buffer)
{
    bool due = may_interrupt(cpu) && buffer->index >= buffer->threshold &&
               buffer->threshold <= buffer->maximum;
    bool again = cpu->threshold_met && cpu->variation.threshold_once;

    cpu->threshold_met = due;
    return due && !again;
}

/* The record to the index, and the index on to the next one. */
static bool put(struct ds_cpu *cpu, const struct ds_host *host, struct area_buffer *buffer,
                const struct ds_branch *branch, bool predicted)
{
    size_t field = area_field_size(cpu), size = FIELDS_OF_A_RECORD * field;

    if (!write_record(cpu, host, branch, predicted, buffer->index)) {
        return false;
    }
    buffer->index = linear_address(cpu, buffer->index + size);
    return true;
}

/* Back to the base where no record fits any more. */
static void wrap(const struct ds_cpu *cpu, struct area_buffer *buffer, size_t size)
{
    if (!record_fits(cpu, buffer, size)) {
        buffer->index = buffer->base;
    }
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
    if (circular || cpu->variation.full_wraps) {
        wrap(cpu, &buffer, size);
    }
    if (!record_fits(cpu, &buffer, size)) {
        return BTS_DROPPED; /* full: the index stays (claim BTS-6) */
    }
    if (!put(cpu, host, &buffer, branch, predicted)) {
        return BTS_DROPPED;
    }
    bool interrupt = raises_interrupt(cpu, &buffer);

    if (circular && cpu->variation.wrap == DS_WRAP_EAGER) {
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
    return store(cpu, host, branch, predicted);
}

void bts_store(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *record)
{
    if (bts_is_on(cpu)) {
        store(cpu, host, record, false);
    }
}
