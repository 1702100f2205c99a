// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of everything the manual leaves open, and its values as text. */
#include "debug_store.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

#define FIELD(name) offsetof(struct ds_variation, name)

static const char *const crossing_words[] = {
    [DS_CROSSING_OLD] = "old", [DS_CROSSING_NEW] = "new", [DS_CROSSING_BOTH] = "both", NULL};
static const char *const arch_crossing_words[] = {[DS_ARCH_CROSSING_NEW] = "new",
                                                  [DS_ARCH_CROSSING_OLD] = "old",
                                                  [DS_ARCH_CROSSING_BOTH] = "both",
                                                  NULL};
static const char *const arch_from_words[] = {"ones", "address", NULL};
static const char *const wrap_words[] = {[DS_WRAP_LAZY] = "lazy", [DS_WRAP_EAGER] = "eager", NULL};
static const char *const limit_words[] = {
    [DS_LIMIT_B] = "fits", [DS_LIMIT_A] = "index-below", [DS_LIMIT_C] = "fits-strictly", NULL};
static const char *const on_off_words[] = {"on", "off", NULL};
static const char *const off_on_words[] = {"off", "on", NULL};
static const char *const int_from_words[] = {"instruction", "next", NULL};
static const char *const predicted_words[] = {[DS_PREDICTED_ON] = "mostly",
                                              [DS_PREDICTED_OFF] = "never",
                                              [DS_PREDICTED_RANDOM] = "mixed",
                                              NULL};
static const char *const refused_words[] = {"fault", "ignored", NULL};
static const char *const left_alone_words[] = {"left-alone", "updated", NULL};
static const char *const updated_words[] = {"updated", "left-alone", NULL};
static const char *const lacking_words[] = {[DS_LACKING_FAULT] = "fault",
                                            [DS_LACKING_IGNORED] = "ignored",
                                            [DS_LACKING_STICKS] = "sticks",
                                            NULL};
static const char *const address_words[] = {[DS_ADDRESS_LINEAR] = "linear",
                                            [DS_ADDRESS_EFFECTIVE] = "effective",
                                            [DS_ADDRESS_OF_FORMAT] = "format",
                                            NULL};
static const char *const pebs_address_words[] = {
    [DS_ADDRESS_LINEAR] = "linear", [DS_ADDRESS_EFFECTIVE] = "effective", NULL};
static const char *const taken_words[] = {"none", "fixed0", "fixed1", "fixed2", "pmc0",
                                          "pmc1", "pmc2",   "pmc3",   NULL};
static const char *const off_words[] = {"loses", "overflows", NULL};
static const char *const arch_full_words[] = {"late", "early", NULL};
static const char *const fragment_words[] = {"one", "two", NULL};
static const char *const own_words[] = {"allowed", "always", NULL};
static const char *const cleared_words[] = {"cleared", "kept", NULL};
static const char *const unit_words[] = {"16", "64", NULL};
static const char *const old_words[] = {"fault", "inert", NULL};
static const char *const own_value_words[] = {"before", "reloaded", NULL};
static const char *const works_words[] = {"fault", "works", NULL};
static const char *const block_write_words[] = {"64-bits", "32-bits", NULL};
static const char *const user_read_words[] = {"zero", "fault", NULL};
static const char *const block_words[] = {"none", "fault", NULL};
static const char *const freeze_words[] = {"streamlined", "legacy", NULL};
static const char *const atom_freeze_words[] = {[DS_ATOM_FREEZE_KEEPS] = "kept",
                                                [DS_ATOM_FREEZE_AT_FREEZE] = "at-freeze",
                                                [DS_ATOM_FREEZE_AT_WRITE] = "at-write",
                                                NULL};
static const char *const lbr_crossing_words[] = {"new", "old", NULL};
static const char *const reset_words[] = {"none", "general", NULL};
static const char *const rsm_words[] = {"restored", "all", NULL};
static const char *const init_lbr_words[] = {[DS_INIT_LBR_KEEPS] = "kept",
                                             [DS_INIT_LBR_STOPS] = "stops",
                                             [DS_INIT_LBR_CLEARS] = "cleared",
                                             NULL};
static const char *const reset_depth_words[] = {"largest", "zero", NULL};
static const char *const other_type_words[] = {"8", "15", NULL};
static const char *const undefined_words[] = {[DS_UNDEFINED_ZERO] = "zero",
                                              [DS_UNDEFINED_ONES] = "ones",
                                              [DS_UNDEFINED_CHANGES] = "changing",
                                              NULL};
static const char *const valid_words[] = {"invalid", "valid", NULL};
static const char *const xrstors_words[] = {"cleared", "restored", NULL};
static const char *const writable_words[] = {"sticks", "fault", NULL};
static const char *const ignored_words[] = {"ignored", "sticks", NULL};
static const char *const refused_or_sticks_words[] = {"fault", "sticks", NULL};
static const char *const kept_words[] = {"kept", "cleared", NULL};
static const char *const full_words[] = {"drops", "wraps", NULL};
static const char *const machine_check_words[] = {"tr-bts", "all", NULL};
static const char *const lbr_format_words[] = {"profile", "1", "2", "3", "4", "5", "6", "7", NULL};

const struct ds_variation_info ds_variations[] = {
    {"crossing", "CPL that decides whether a ring-crossing record is stored: old, new, or either",
     crossing_words, 0, FIELD(crossing)},
    {"pmi-late", "records stored between reaching the BTS threshold and the interrupt request",
     NULL, 64, FIELD(pmi_late)},
    {"wrap", "a circular BTS index returns to the base before the next record, or after the last",
     wrap_words, 0, FIELD(wrap)},
    {"limit",
     "a record fits if: index < maximum (index-below), index + size <= maximum (fits), or "
     "index + size < maximum (fits-strictly)",
     limit_words, 0, FIELD(limit)},
    {"predicted", "bit 4 of a BTS record's flags: predicted branches, always 0, or meaningless",
     predicted_words, 0, FIELD(predicted)},
    {"btint-clear-interrupts", "the BTS threshold interrupts even while BTINT is clear",
     off_on_words, 0, FIELD(btint_clear_interrupts)},
    {"pmi-skid", "instructions retired between a counter's overflow and the interrupt request",
     NULL, 64, FIELD(pmi_skid)},
    {"bts-ovfbuf", "a BTS threshold sets IA32_PERF_GLOBAL_STATUS bit 62, as a PEBS one does",
     off_on_words, 0, FIELD(bts_ovfbuf)},
    {"bts-freezes", "the BTS threshold is a trigger of both freezes", on_off_words, 0,
     FIELD(bts_no_freeze)},
    {"lbr-format", "format of the LBR stack, IA32_PERF_CAPABILITIES[5:0]", lbr_format_words, 0,
     FIELD(lbr_format)},
    {"debug-stored", "a debug exception makes a BTS record", on_off_words, 0,
     FIELD(debug_not_stored)},
    {"tr-feeds-lbr", "the LBR stack is updated while TR is set, with LBR clear too", off_on_words,
     0, FIELD(tr_updates_lbr)},
    {"int-from", "FROM of INT n, INT3 and INTO: the instruction, or the one after it",
     int_from_words, 0, FIELD(int_from_next)},
    {"btf-events", "BTF traps after the delivery of interrupts and exceptions too", off_on_words, 0,
     FIELD(btf_events)},
    {"btf-far", "BTF traps after far transfers, IRET and SYSCALL and its relatives", on_off_words,
     0, FIELD(btf_no_far)},
    {"ler-without-lbr", "the last exception record is kept while LBR is clear too",
     left_alone_words, 0, FIELD(ler_without_lbr)},
    {"ler-by-debug", "a debug exception updates the last exception record", left_alone_words, 0,
     FIELD(ler_by_debug)},
    {"ler-by-int", "INT n, INT3 and INTO update the last exception record", updated_words, 0,
     FIELD(ler_not_by_int)},
    {"debugctl-reserved", "a write of bits that IA32_DEBUGCTL lacks: #GP, or no effect",
     refused_words, 0, FIELD(reserved_ignored)},
    {"threshold-again", "each record at or above the BTS threshold interrupts, not the first alone",
     on_off_words, 0, FIELD(threshold_once)},
    {"freeze-stops-bts", "nothing is stored while LBR_Frz is set", off_on_words, 0,
     FIELD(freeze_stops_bts)},
    {"lbr-freeze", "how Goldmont freezes its LBR stack; others go by their version", freeze_words,
     0, FIELD(lbr_freeze_legacy)},
    {"freeze-or-tr",
     "when the first Atom clears TR because of FREEZE_LBRS_ON_PMI: never, as it freezes, or when "
     "that bit is written",
     atom_freeze_words, 0, FIELD(atom_freeze)},
    {"lbr-crossing", "CPL that the first bits of MSR_LBR_SELECT mean: after the branch, or before",
     lbr_crossing_words, 0, FIELD(lbr_crossing_old)},
    {"select-filters-bts", "MSR_LBR_SELECT filters BTS records too", off_on_words, 0,
     FIELD(select_filters_bts)},
    {"lbr-writable", "FROM, TO, INFO and TOS of the LBR stack: a write sticks, or #GP",
     writable_words, 0, FIELD(lbr_read_only)},
    {"lbr-with-tr", "the LBR stack works while TR is set, on Core; on others it always does",
     on_off_words, 0, FIELD(lbr_or_tr)},
    {"condchgd", "an overflow sets CondChgd in IA32_PERF_GLOBAL_STATUS", off_on_words, 0,
     FIELD(condchgd)},
    {"set-interrupts", "an overflow that IA32_PERF_GLOBAL_STATUS_SET pretends interrupts",
     off_on_words, 0, FIELD(set_interrupts)},
    {"reset-enables", "what IA32_PERF_GLOBAL_CTRL has set after RESET", reset_words, 0,
     FIELD(reset_enables)},
    {"rsm-enables", "IA32_PERF_GLOBAL_CTRL after RSM under FREEZE_WHILE_SMM", rsm_words, 0,
     FIELD(rsm_enables_all)},
    {"init-ds-area", "INIT keeps IA32_DS_AREA, or clears it", kept_words, 0, FIELD(init_ds_area)},
    {"full", "a full buffer with BTINT set drops the record, or goes on at its base", full_words, 0,
     FIELD(full_wraps)},
    {"machine-check", "what a machine check clears of IA32_DEBUGCTL", machine_check_words, 0,
     FIELD(machine_check_all)},
    {"status-write", "a write to IA32_PERF_GLOBAL_STATUS, read-only: #GP, or no effect",
     refused_words, 0, FIELD(status_write_ignored)},
    {"inuse-write", "a write to IA32_PERF_GLOBAL_INUSE, read-only: #GP, or no effect",
     refused_words, 0, FIELD(inuse_write_ignored)},
    {"lbr-address", "addresses in the LBR stack have the base of their code segment added",
     address_words, 0, FIELD(lbr_address)},
    {"pebs-address", "addresses in PEBS records have the base of their code segment added",
     pebs_address_words, 0, FIELD(pebs_address)},
    {"halt-loses-lbr", "HLT is so deep that it empties the LBR stack", off_on_words, 0,
     FIELD(halt_loses_lbr)},
    {"far-overcount",
     "far CALL, JMP and RET, IRET and SMM count as one instruction and branch more", off_on_words,
     0, FIELD(far_overcount)},
    {"taken-counter", "a counter that somebody else uses, and sets up anew now and then and in SMM",
     taken_words, 0, FIELD(taken_counter)},
    {"inuse-fixed-3", "IA32_PERF_GLOBAL_INUSE has a bit for fixed counter 3", on_off_words, 0,
     FIELD(inuse_lacks_fixed_3)},
    {"status-reserved", "bits that 390H and 391H lack, written: #GP, or no effect", refused_words,
     0, FIELD(status_bits_ignored)},
    {"upper-counters",
     "PMC4 to 7 of a core with Hyper-Threading on: #GP, or registers that count "
     "nothing",
     works_words, 0, FIELD(upper_counters)},
    {"select-rtm", "IA32_PERFEVTSELx bits 33:32 where RTM is switched off", lacking_words, 0,
     FIELD(select_without_rtm)},
    {"debugctl-rtm", "IA32_DEBUGCTL bit 15 where RTM is switched off", lacking_words, 0,
     FIELD(debugctl_without_rtm)},
    {"any-thread", "AnyThread bits where they are deprecated", lacking_words, 0,
     FIELD(any_thread_deprecated)},
    {"rdpmc-high-bits", "ECX[29:8] of RDPMC in versions 2 and 3: #GP, or no effect", refused_words,
     0, FIELD(rdpmc_high_bits_ignored)},
    {"delivery-counted",
     "the delivery of an interrupt or exception counts as an instruction of the handler's ring",
     off_on_words, 0, FIELD(delivery_counts)},
    {"arch-lbr-crossing",
     "CPL by which IA32_LBR_CTL filters a ring crossing: after it, before it, or either",
     arch_crossing_words, 0, FIELD(arch_lbr_crossing)},
    {"lbr-filtered-from",
     "FROM of a branch that comes from a ring that IA32_LBR_CTL does not let in: all ones, or its "
     "address",
     arch_from_words, 0, FIELD(arch_lbr_from_told)},
    {"call-stack-zero-length", "call-stack mode keeps calls of the next instruction, too",
     off_on_words, 0, FIELD(call_stack_keeps_all)},
    {"lbr-call-next",
     "architectural LBRs record a relative CALL of the next instruction beside call-stack mode",
     on_off_words, 0, FIELD(call_next_left_out)},
    {"lbr-reset-depth", "IA32_LBR_DEPTH after power-up: the largest, or 0", reset_depth_words, 0,
     FIELD(reset_lbr_depth)},
    {"reset-keeps-lbr", "a RESET after the first keeps architectural LBRs, and clears LBREn alone",
     off_on_words, 0, FIELD(reset_keeps_lbr)},
    {"init-lbr", "INIT keeps IA32_LBR_CTL, clears its LBREn, or clears it and all entries",
     init_lbr_words, 0, FIELD(init_lbr)},
    {"smm-in-lbr",
     "the architectural LBR stack holds branches of SMM, unless FREEZE_WHILE_SMM is set",
     off_on_words, 0, FIELD(smi_lbr_by_freeze)},
    {"lbr-other-type", "BR_TYPE of far branches, interrupts and exceptions", other_type_words, 0,
     FIELD(lbr_other_type)},
    {"lbr-undefined",
     "bits of INFO that mean nothing: zero (IA32_LER_INFO: as the branch's INFO), ones, or others "
     "each time",
     undefined_words, 0, FIELD(lbr_undefined)},
    {"lbr-first-cycles", "CYC_CNT of the first record after LBREn was set", valid_words, 0,
     FIELD(first_cycles_valid)},
    {"lbr-ctl-lacking", "bits of IA32_LBR_CTL whose capability leaf 1CH lacks: #GP, or kept",
     refused_or_sticks_words, 0, FIELD(lbr_ctl_all_bits)},
    {"debugctl-lbr", "IA32_DEBUGCTL[0] beside architectural LBRs: reads 0, or as written",
     ignored_words, 0, FIELD(debugctl_lbr_sticks)},
    {"xsaves-stops-lbr", "XSAVES of component 15 clears LBREn", off_on_words, 0,
     FIELD(xsaves_stops_lbr)},
    {"xrstors-depth",
     "XRSTORS of an image with another IA32_LBR_DEPTH clears the entries, or loads all",
     xrstors_words, 0, FIELD(xrstors_loads_depth)},
    {"ler-filtered", "the filters of IA32_LBR_CTL hold for the last exception record, too",
     off_on_words, 0, FIELD(ler_filtered)},
    {"pebs-skid", "at most so many instructions from a PEBS counter's overflow to being armed",
     NULL, 64, FIELD(pebs_skid)},
    {"pebs-snapshot-counts", "counters in a PEBS record have counted the event that makes it",
     on_off_words, 0, FIELD(snapshot_before_event)},
    {"pebs-snapshot-own",
     "the counter that makes a PEBS record, in it: before its reload, or after", own_value_words, 0,
     FIELD(snapshot_after_reload)},
    {"fixed-0-timed", "PEBS records of fixed counter 0 have a retire latency, if any have",
     on_off_words, 0, FIELD(fixed_0_untimed)},
    {"inuse-newer", "IA32_PERF_GLOBAL_INUSE tells of PMC8 and on, and of fixed counters 4 and on",
     on_off_words, 0, FIELD(inuse_lacks_newer)},
    {"old-numbers", "MSRs C9H, 18EH, 4C9H, 30DH and on: #GP, or those of such counters",
     works_words, 0, FIELD(old_numbers_go_on)},
    {"block-write", "the value in a counter's block is written whole, or 32 bits of it, extended",
     block_write_words, 0, FIELD(block_write_narrow)},
    {"user-read", "RDPMC in ring 3 of a counter that is kept from it: zero, or #GP",
     user_read_words, 0, FIELD(user_read_fault)},
    {"block-lacking", "CFG_B and CFG_C of a counter that has no bit of them: zero, or #GP",
     block_words, 0, FIELD(block_lacking_fault)},
    {"arch-pebs-off",
     "while IA32_PEBS_INDEX.EN is clear PEBS counters lose records, or just overflow", off_words, 0,
     FIELD(arch_pebs_off_overflows)},
    {"arch-pebs-full", "FULL is set with a record that does not fit, or when no more will",
     arch_full_words, 0, FIELD(arch_pebs_full_early)},
    {"arch-pebs-full-interrupts", "setting FULL interrupts as the threshold does", off_on_words, 0,
     FIELD(arch_pebs_full_interrupts)},
    {"arch-pebs-fragments", "vectors, LBRs and counters have a fragment of their own",
     fragment_words, 0, FIELD(arch_pebs_split)},
    {"arch-pebs-own", "a counter stands in its own record: if it may in others, or always",
     own_words, 0, FIELD(arch_pebs_tells_own)},
    {"init-arch-pebs", "INIT clears IA32_PEBS_BASE and IA32_PEBS_INDEX, or keeps them",
     cleared_words, 0, FIELD(init_keeps_arch_pebs)},
    {"arch-pebs-overflow",
     "a record of architectural PEBS clears its counter's overflow bit, or not", cleared_words, 0,
     FIELD(arch_pebs_keeps_overflow)},
    {"arch-pebs-ip", "the address in a record of architectural PEBS: the instruction, or the next",
     int_from_words, 0, FIELD(arch_pebs_ip_next)},
    {"arch-pebs-unit", "fragments of architectural PEBS fill units of so many bytes", unit_words, 0,
     FIELD(arch_pebs_wide_unit)},
    {"arch-pebs-old",
     "IA32_PEBS_ENABLE and MSR_PEBS_DATA_CFG beside architectural PEBS: #GP, or "
     "registers that do nothing",
     old_words, 0, FIELD(old_pebs_registers)},
};

const size_t ds_variation_count = sizeof(ds_variations) / sizeof(ds_variations[0]);

static const struct ds_variation_info *find_variation(const char *name)
{
    for (size_t i = 0; i < ds_variation_count; i++) {
        if (strcmp(ds_variations[i].name, name) == 0) {
            return &ds_variations[i];
        }
    }
    return NULL;
}

static bool parse_choice(const struct ds_variation_info *info, const char *text, uint32_t *value)
{
    for (uint32_t i = 0; info->choices[i]; i++) {
        if (strcmp(info->choices[i], text) == 0) {
            *value = i;
            return true;
        }
    }
    return false;
}

const char *ds_variation_set(struct ds_variation *variation, const char *name, const char *text)
{
    const struct ds_variation_info *info = find_variation(name);
    uint32_t value = 0;

    if (!info) {
        return "no variation has this name";
    }
    if (info->choices ? !parse_choice(info, text, &value)
                      : !number_parse(text, strlen(text), info->maximum, &value)) {
        return info->choices ? "not one of this variation's words"
                             : "not a decimal number, or too large";
    }
    memcpy((char *)variation + info->offset, &value, sizeof(value));
    return NULL;
}

void ds_variation_get(const struct ds_variation *variation, const struct ds_variation_info *info,
                      char *text, size_t size)
{
    uint32_t value;

    memcpy(&value, (const char *)variation + info->offset, sizeof(value));
    if (info->choices) {
        snprintf(text, size, "%s", info->choices[value]);
    } else {
        snprintf(text, size, "%u", value);
    }
}
