// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults that need memory, time or more than one decision. Each is called at a seam of the healthy
 * model (a branch comes in, a record goes out, memory is read, a register is written, an interrupt
 * is requested), where a patch beside this file puts the call.
 */
#ifndef FAULTS_SEAMS_H
#define FAULTS_SEAMS_H

#include "../area.h"
#include "../counter.h"
#include "../debugctl.h"
#include "../arch_lbr.h"
#include "../pebs_groups.h"
#include "fault.h"

/* RESET: keeps the chosen faults, clears their state. */
void fault_reset(const struct ds_cpu *cpu, struct ds_cpu *fresh);

/* Branch in (branch.c), and out after it was recorded everywhere. */
void fault_branch_in(struct ds_cpu *cpu, const struct ds_host *host, struct ds_branch *record);
void fault_branch_out(struct ds_cpu *cpu, const struct ds_branch *branch);

/* Does a junk record come before that of this branch? Then fills in *junk. */
bool fault_junk(struct ds_cpu *cpu, struct ds_branch *junk);
/* Does the branch instruction that raised this exception have a record? Then it is *vain. */
bool fault_vain_branch(struct ds_cpu *cpu, const struct ds_host *host,
                       const struct ds_branch *exception, struct ds_branch *vain);

/* Record out (record.c): changes it before it is stored. True: it is lost. */
bool fault_record_out(struct ds_cpu *cpu, struct ds_branch *record);

/* FROM with the fault that branch store and LBR stack share. */
uint64_t fault_record_from(const struct ds_cpu *cpu, uint64_t from);

/* Is one more record stored after TR was cleared? */
static inline bool fault_bts_goes_on(const struct ds_cpu *cpu)
{
    return cpu->fault_memory.bts_goes_on;
}

/* Are these bits set in IA32_DEBUGCTL as the branch store obeys it, perhaps as it was when TR was
 * set? */
static inline bool fault_setting_is(const struct ds_cpu *cpu, uint64_t bits)
{
    uint64_t latched = DEBUGCTL_BTS | DEBUGCTL_BTINT | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR;
    uint64_t changed = cpu->debugctl ^ cpu->fault_memory.setting;

    latched = fault_is_on(cpu, FAULT_SETTING_LATCHED) ? latched : 0;
    return ((cpu->debugctl ^ (changed & latched)) & bits) == bits;
}

static inline bool fault_stays_in_ring(const struct ds_branch *branch)
{
    return branch->old_cpl == branch->new_cpl;
}

/* Memory (memory.c): where the area is looked for, and what is read from it. */
uint64_t fault_area_address(const struct ds_cpu *cpu);
void fault_share_area(const struct ds_cpu *cpu); /* IA32_DS_AREA has a new value */
uint64_t fault_used_area(const struct ds_cpu *cpu);
uint64_t fault_area_linear(const struct ds_cpu *cpu, uint64_t address);
void fault_recall_buffer(const struct ds_cpu *cpu, enum area_section section,
                         struct area_buffer *buffer);
void fault_recall_reset(const struct ds_cpu *cpu, unsigned counter, bool fixed, uint64_t *value);
void fault_zero_eight_bytes(const struct ds_host *host, uint64_t address);

/* Registers (registers.c): one was written, with this result. */
void fault_msr_written(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                       enum ds_msr_result result);

/* All registers have been asked whether they take the value, with this result. */
void fault_write_judged(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                        uint64_t value, enum ds_msr_result result);

/* IA32_DEBUGCTL was written; old: its value before. */
void fault_debugctl_written(struct ds_cpu *cpu, uint64_t old);

/* Status bits are to be cleared, and with them what a fault ties to them. */
void fault_clear_status(struct ds_cpu *cpu, uint64_t value);

/* PMI out (pmi.c). */
void fault_pmi_out(struct ds_cpu *cpu, const struct ds_host *host);
void fault_overflow_out(struct ds_cpu *cpu);
void fault_repeat_pmi(struct ds_cpu *cpu, const struct ds_host *host);
bool fault_pmi_comes_again(const struct ds_cpu *cpu);

/* Freeze (freeze.c). fault_freezes(): do these causes freeze? overflowed: counters; pebs: the
 * counters of a record at the threshold. */
bool fault_freezes(struct ds_cpu *cpu, const struct ds_host *host, unsigned cpl,
                   uint64_t overflowed, uint64_t pebs);
bool fault_freeze_waits(struct ds_cpu *cpu);
void fault_freeze_stack(struct ds_cpu *cpu);
void fault_top_at_freeze(struct ds_cpu *cpu);
void fault_remember_enables(struct ds_cpu *cpu);
void fault_remember_lbr(struct ds_cpu *cpu);
uint64_t fault_not_frozen(const struct ds_cpu *cpu);

/* Newer counters (newer.c). Does one of these two faults happen to the counter: `general` if it is
 * a newer general-purpose one, `fixed` if it is a newer fixed one? */
bool fault_upper(const struct ds_cpu *cpu, unsigned number, enum fault general, enum fault fixed);
/* Does the counter count nothing? */
bool fault_dead(const struct ds_cpu *cpu, unsigned number);
/* Of the counters that wrapped, those that get their status bit. */
uint64_t fault_overflow_told(const struct ds_cpu *cpu, uint64_t wrapped);
/* The first gives the counters whose enable bits are ignored, the second those that are not
 * frozen. */
uint64_t fault_enabled(const struct ds_cpu *cpu);
uint64_t fault_newer_not_frozen(const struct ds_cpu *cpu);
/* Number of the fixed counter whose control field this one uses. */
unsigned fault_fixed_field(const struct ds_cpu *cpu, unsigned number);

/* Does the counter count in rings that it does not select? */
bool fault_counts_in_every_ring(const struct ds_cpu *cpu, unsigned number);
/* The ring that the counters take this one for; and does this counter leave out the far branch of
 * this cycle? */
unsigned fault_ring(const struct ds_cpu *cpu, unsigned cpl);
bool fault_far_lost(const struct ds_cpu *cpu, unsigned number, const struct counter_cycle *cycle);
/* The first: is the counter reloaded by an overflow that it names as a cause? The second: its list
 * of causes was written. */
bool fault_reloads(struct ds_cpu *cpu, unsigned number);
void fault_causes_written(struct ds_cpu *cpu, unsigned number);
/* Does RDPMC in ring 3 read no counter at all? */
bool fault_user_off(const struct ds_cpu *cpu);

/* An interrupt was delivered or is about to be recorded; a freeze may have waited for it. */
void fault_freeze_at_last(struct ds_cpu *cpu);

/* LBR stack and last exception record (stack.c). */
bool fault_tr_feeds(const struct ds_cpu *cpu);
void fault_push(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch);
void fault_clear_stack(struct ds_cpu *cpu);
uint64_t fault_keep_upper_half(struct ds_cpu *cpu, uint64_t old, uint64_t address);
void fault_remember_older(struct ds_cpu *cpu);
void fault_exchange(uint64_t *a, uint64_t *b);

/* Architectural stack (arch_lbr.c). The value of IA32_LBR_CTL that the filters obey. */
uint64_t fault_lbr_filters(const struct ds_cpu *cpu, uint64_t value);
/* Does a RET remove an entry although the stack is frozen? */
bool fault_pops_frozen(const struct ds_cpu *cpu);
/* The first: do the filters let the branch in? The second: is it lost? */
bool fault_lbr_lets_in(const struct ds_cpu *cpu, const struct ds_host *host,
                       const struct ds_branch *branch);
bool fault_lbr_loses(const struct ds_cpu *cpu, const struct ds_branch *branch);
/* The part of its segment's base that an address in the entry lacks. */
uint64_t fault_lbr_base(const struct ds_cpu *cpu, const struct ds_branch *branch, uint64_t base);
/* Change an entry before it is put on the stack, and after. */
void fault_lbr_entry(const struct ds_cpu *cpu, struct lbr_entry *entry);
void fault_lbr_pushed(struct ds_cpu *cpu);

/* Does IA32_LBR_DEPTH take the value? */
bool fault_takes_depth(const struct ds_cpu *cpu, uint64_t depth);
/* IA32_LBR_DEPTH was written; old: its value before. */
void fault_depth_written(struct ds_cpu *cpu, uint64_t old);
/* How many entries have registers. */
uint64_t fault_readable_entries(const struct ds_cpu *cpu);

/* Component 15: entry i as XSAVES stores it. */
struct lbr_entry fault_saved_entry(const struct ds_cpu *cpu, unsigned i);
/* XSAVES has made the image. */
void fault_image_saved(const struct ds_cpu *cpu, uint64_t image[DS_LBR_IMAGE]);

/* BR_TYPE of INFO; type: the right one. */
uint64_t fault_branch_type(const struct ds_cpu *cpu, enum ds_branch_kind kind, uint64_t type);

/* Microcoded instructions (microcoded.c). Does BTF trap after this one? */
bool fault_btf_traps(struct ds_cpu *cpu, const struct ds_host *host, uint64_t ip);
/* Must instructions be reported for these faults? */
bool fault_wants_instructions(const struct ds_cpu *cpu);
/* An instruction has retired and is about to be counted. */
void fault_microcoded(struct ds_cpu *cpu, const struct ds_host *host,
                      const struct ds_instruction *instruction, struct counter_cycle *cycle);

/* Single step: does the trap come now? traps: it should. */
bool fault_late_trap(struct ds_cpu *cpu, bool traps);

/* PEBS (sample.c). */
uint64_t fault_late_assists(struct ds_cpu *cpu, uint64_t ready);
unsigned fault_pebs_format(const struct ds_cpu *cpu);
void fault_cut_registers(const struct ds_cpu *cpu, unsigned cpl, struct ds_registers *registers);
uint64_t fault_sign_extended(uint64_t value);
bool fault_loses_record(struct ds_cpu *cpu, uint64_t counters);
bool fault_keeps_fixed(struct ds_cpu *cpu, unsigned number);
uint64_t fault_reset_offset(const struct ds_cpu *cpu, unsigned counter, bool fixed,
                            uint64_t offset);
uint64_t fault_record_time(const struct ds_cpu *cpu, uint64_t now);
uint64_t fault_told_counters(const struct ds_cpu *cpu, uint64_t counters);
bool fault_is_adaptive(const struct ds_cpu *cpu, unsigned number);
unsigned fault_register(const struct ds_cpu *cpu, unsigned place);
bool fault_untimed_latency(const struct ds_cpu *cpu);

/* Architectural PEBS (arch_pebs_seams.c). */
uint32_t fault_apebs_reload(const struct ds_cpu *cpu, unsigned number, uint64_t config);
bool fault_apebs_drops(struct ds_cpu *cpu, bool off, bool full, const struct pebs_event *event);
bool fault_apebs_write(struct ds_cpu *cpu, const struct ds_host *host, uint64_t address,
                       const void *record, size_t size);
size_t fault_apebs_advance(struct ds_cpu *cpu, size_t size);
bool fault_apebs_reaches(const struct ds_cpu *cpu, uint64_t at, uint64_t threshold);
uint64_t fault_apebs_status(struct ds_cpu *cpu);
uint64_t fault_apebs_told(const struct ds_cpu *cpu, uint64_t counters);
uint64_t fault_apebs_header(const struct ds_cpu *cpu, uint64_t header);

/* PEBS: values of counters in a record. The first gives the counters whose values it has, the
 * second their masks in it. */
uint64_t fault_snapshot(const struct ds_cpu *cpu, uint64_t counters);
uint64_t fault_snapshot_masks(const struct ds_cpu *cpu, uint64_t counters);
/* The counter whose value comes next; rest: those that are still to come. */
unsigned fault_snapshot_order(const struct ds_cpu *cpu, uint64_t all, uint64_t rest);
/* The counter's value in the record. */
uint64_t fault_snapshot_value(const struct ds_cpu *cpu, unsigned number, uint64_t value);

#endif
