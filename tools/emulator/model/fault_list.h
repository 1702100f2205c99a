// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every fault: FAULT(identifier, name, claims and errata, what the processor must have, what it
 * does). No include guard: whoever includes this defines FAULT first. Words of the fourth column:
 * see struct ds_fault_info.
 */

/* clang-format off */

/* Registers: what exists, what is accepted. */
FAULT(DS_AREA_MISSING, "ds-area-missing", "DS-1", "ds", "IA32_DS_AREA faults, though DS is enumerated")
FAULT(DS_AREA_DROPPED, "ds-area-dropped", "DS-1", "ds", "a write to IA32_DS_AREA has no effect")
FAULT(DS_AREA_UNCHECKED, "ds-area-unchecked", "DS-1", "ds", "IA32_DS_AREA takes an address that is not canonical")
FAULT(BTS_BITS_REFUSED, "bts-bits-refused", "DS-2", "bts", "BTS and BTINT cannot be set, though BTS is available")
FAULT(BTS_BITS_DROPPED, "bts-bits-dropped", "DS-2", "bts", "BTS and BTINT read as clear after they were set")
FAULT(UNAVAILABLE_WRITABLE, "unavailable-writable", "DS-2 DS-3", "", "IA32_MISC_ENABLE bits 11 and 12 can be written")
FAULT(PEBS_ENABLE_REFUSED, "pebs-enable-refused", "DS-3", "pebs", "IA32_PEBS_ENABLE faults, though PEBS is available")
FAULT(PEBS_ENABLE_DROPPED, "pebs-enable-dropped", "DS-3 PEBS-1", "pebs", "a write to IA32_PEBS_ENABLE has no effect")
FAULT(OFF_BITS_REFUSED, "off-bits-refused", "CPL-1", "ds-cpl", "BTS_OFF_OS and BTS_OFF_USR cannot be set, though DS-CPL is enumerated")
FAULT(OFF_BITS_DROPPED, "off-bits-dropped", "CPL-1", "ds-cpl", "BTS_OFF_OS and BTS_OFF_USR read as clear after they were set")
FAULT(OFF_BITS_EXTRA, "off-bits-extra", "CPL-1", "no-ds-cpl", "BTS_OFF_OS and BTS_OFF_USR can be set without DS-CPL")
FAULT(FREEZE_BITS_REFUSED, "freeze-bits-refused", "FRZ-1", "freeze", "the two freeze bits of IA32_DEBUGCTL cannot be set, though they are enumerated")
FAULT(FREEZE_FLAVOUR, "freeze-flavour", "FRZ-1 FRZ-2 FRZ-5 FRZ-6 FRZ-8", "freeze", "legacy freeze from version 4 on, streamlined before")
FAULT(SET_CONDCHGD, "set-condchgd", "SKL164", "streamlined", "IA32_PERF_GLOBAL_STATUS_SET takes bit 63")
FAULT(SMM_FREEZE_REFUSED, "smm-freeze-refused", "FRZ-14", "smm-freeze", "FREEZE_WHILE_SMM cannot be set, though it is enumerated")

/* The save area. */
FAULT(AREA_FIELDS_EXCHANGED, "area-fields-exchanged", "DS-8", "bts", "absolute maximum and threshold have changed places")
FAULT(AREA_PEBS_MISPLACED, "area-pebs-misplaced", "DS-8", "pebs", "the PEBS fields lie one field too late")
FAULT(AREA_NARROW, "area-narrow", "DS-8 BTS-2", "bts", "the 32-bit layouts in every mode")
FAULT(AREA_THRESHOLD_WRITTEN, "area-threshold-written", "DS-8", "bts", "storing a record moves the threshold along with the index")
FAULT(RESET_MISPLACED, "reset-misplaced", "DS-8 PEBS-2", "pebs", "a counter restarts from its neighbour's reset value")
FAULT(LEGACY_MODE_DEAD, "legacy-mode-dead", "DS-7", "bts", "nothing is stored while IA-32e mode is off")

/* Table 17-6. */
FAULT(TR_IGNORED, "tr-ignored", "T17-6.1", "bts", "BTS without TR stores records")
FAULT(BTS_BIT_IGNORED, "bts-bit-ignored", "T17-6.2", "bts", "TR without BTS stores records")
FAULT(OFF_OS_IGNORED, "off-os-ignored", "T17-6.4 T17-6.8", "ds-cpl", "BTS_OFF_OS has no effect")
FAULT(OFF_USR_IGNORED, "off-usr-ignored", "T17-6.5 T17-6.9", "ds-cpl", "BTS_OFF_USR has no effect")
FAULT(OFF_BITS_EXCHANGED, "off-bits-exchanged", "T17-6.4 T17-6.5 T17-6.8 T17-6.9", "ds-cpl", "BTS_OFF_OS and BTS_OFF_USR have changed places")
FAULT(BOTH_OFF_STORES, "both-off-stores", "T17-6.6", "ds-cpl", "with both OFF bits set everything is stored")
FAULT(OFF_BITS_NEED_BTINT, "off-bits-need-btint", "T17-6.4 T17-6.5", "ds-cpl", "the OFF bits have no effect while BTINT is clear")
FAULT(OFF_OS_CONTRA_BTINT, "off-os-contra-btint", "T17-6.8", "ds-cpl", "BTS_OFF_OS has no effect while BTINT is set")
FAULT(OFF_USR_CONTRA_BTINT, "off-usr-contra-btint", "T17-6.9", "ds-cpl", "BTS_OFF_USR has no effect while BTINT is set")
FAULT(BTINT_NEEDS_OFF_BIT, "btint-needs-off-bit", "T17-6.7", "ds-cpl", "the BTS threshold interrupts only while an OFF bit is set")
FAULT(OFF_BITS_CONTRA_BTINT, "off-bits-contra-btint", "T17-6.8 T17-6.9", "ds-cpl", "the OFF bits have no effect while BTINT is set")
FAULT(RING_3_NOT_STORED, "ring-3-not-stored", "T17-6.3 T17-6.4 T17-6.7 T17-6.8 ISR-1", "bts", "stores have the rights of the running ring: none from above ring 0")
FAULT(RING_0_NOT_STORED, "ring-0-not-stored", "T17-6.3 T17-6.5 T17-6.7 T17-6.9", "bts", "branches in ring 0 are never stored")
FAULT(BTINT_IGNORED, "btint-ignored", "BTS-5 T17-6.7 T17-6.8 T17-6.9", "bts", "the buffer is always circular, and never interrupts")
FAULT(BTINT_STUCK, "btint-stuck", "BTS-3 T17-6.3 T17-6.4 T17-6.5", "bts", "the buffer is never circular")

/* Which branches become records. */
FAULT(RECORD_LOST, "record-lost", "BTS-1", "bts", "a record is not stored")
FAULT(RECORD_TWICE, "record-twice", "BTS-1", "bts", "a record is stored twice")
FAULT(CONDITIONAL_LOST, "conditional-lost", "BTS-1", "bts", "taken Jcc, LOOP and JRCXZ are not stored")
FAULT(JMP_LOST, "jmp-lost", "BTS-1", "bts", "near JMP is not stored")
FAULT(CALL_LOST, "call-lost", "BTS-1", "bts", "near CALL is not stored")
FAULT(RET_LOST, "ret-lost", "BTS-1", "bts", "near RET is not stored")
FAULT(FAR_LOST, "far-lost", "BTS-1", "bts", "far transfers, IRET, SYSCALL and SYSRET are not stored")
FAULT(INT_LOST, "int-lost", "BTS-1", "bts", "INT n and INT3 are not stored")
FAULT(INTERRUPT_LOST, "interrupt-lost", "BTS-1", "bts", "interrupts are not stored")
FAULT(EXCEPTION_LOST, "exception-lost", "BTS-1", "bts", "exceptions are not stored")
FAULT(TR_CLEAR_LATE, "tr-clear-late", "ISR-5 T17-6.1", "bts", "one more record is stored after TR was cleared")

/* What is in a record. */
FAULT(FROM_TO_EXCHANGED, "from-to-exchanged", "BTS-2 BTS-1", "bts", "FROM and TO have changed places")
FAULT(FROM_NEXT, "from-next", "BTS-1 BTS-2", "bts", "FROM of a branch is the instruction after it")
FAULT(TO_LATE, "to-late", "BTS-1 BTS-2", "bts", "TO is one byte late")
FAULT(UPPER_HALF_LOST, "upper-half-lost", "BTS-2 BTS-1", "bts", "addresses are stored without their upper half")
FAULT(FROM_REPEATED, "from-repeated", "BTS-1 HSD53", "bts", "FROM is that of the record before")
FAULT(FROM_CROSSING_STALE, "from-crossing-stale", "T17-6.4 T17-6.5 T17-6.8 T17-6.9 BTS-1 AR62 W125", "ds-cpl", "with an OFF bit set, FROM of a ring crossing is that of the record before")
FAULT(FROM_SIGN_EXTENDED, "from-sign-extended", "BTS-1 LBR-1 AAJ18", "bts", "FROM just above the lower half of the address space is sign-extended")
FAULT(INT3_FROM_LATE, "int3-from-late", "BTS-1", "bts", "FROM of INT3 is one byte late, that of INT n is not")
FAULT(FAR_FROM_LATE, "far-from-late", "BTS-1", "bts", "FROM of a far transfer is one byte late")
FAULT(EVENT_FROM_LATE, "event-from-late", "BTS-1", "bts", "FROM of interrupts and exceptions is one byte late")
FAULT(RECORD_TOO_LONG, "record-too-long", "BTS-2", "bts", "the index moves on by a record and a field")

/* The buffer's ends. */
FAULT(WRAP_EARLY, "wrap-early", "BTS-3", "bts", "a circular buffer wraps one record early")
FAULT(WRAP_LATE, "wrap-late", "BTS-3 BTS-8", "bts", "a circular buffer wraps one record late")
FAULT(WRAP_TO_SECOND, "wrap-to-second", "BTS-3", "bts", "a circular buffer wraps to its second record")
FAULT(WRAP_LOSES_RECORD, "wrap-loses-record", "BTS-3 BTS-1", "bts", "the first record after a wrap is lost")
FAULT(OVERRUN, "overrun", "BTS-8 P79", "bts", "a buffer that is not circular takes one record above the absolute maximum")
FAULT(UNDERRUN, "underrun", "BTS-8", "bts", "the record at the base zeroes the eight bytes before it")
FAULT(TAIL_WRITTEN, "tail-written", "BTS-8", "bts", "a record zeroes the eight bytes after it")
FAULT(FULL_DISABLES, "full-disables", "BTS-6", "bts", "a full buffer clears TR and BTS")
FAULT(FULL_WRAPS, "full-wraps", "BTS-6", "bts", "a full buffer starts again at the base, circular or not")

/* The BTS interrupt. */
FAULT(THRESHOLD_LATE, "threshold-late", "BTS-5", "bts", "the interrupt comes when the index exceeds the threshold: one record late")
FAULT(THRESHOLD_EARLY, "threshold-early", "BTS-5", "bts", "the interrupt comes one record early")
FAULT(THRESHOLD_MATCH_ONLY, "threshold-match-only", "BTS-5", "bts", "the interrupt comes when the index matches the threshold, and not when it exceeds it")
FAULT(THRESHOLD_ABOVE_MAXIMUM, "threshold-above-maximum", "BTS-4", "bts", "a threshold above the absolute maximum interrupts at the maximum, with BTINT clear too")
FAULT(BTS_PMI_LOST, "bts-pmi-lost", "BTS-5 T17-6.7 ISR-2", "bts", "the BTS threshold raises no interrupt")
FAULT(PMI_CLEARS_DS_AREA, "pmi-clears-ds-area", "ISR-6", "bts", "the interrupt clears IA32_DS_AREA")
FAULT(PMI_CLEARS_BTS, "pmi-clears-bts", "ISR-6", "bts", "the interrupt clears TR and BTS")

/* Several processors. */
FAULT(AREA_SHARED, "area-shared", "ISR-4", "bts", "the newest write to IA32_DS_AREA counts for every processor")
FAULT(PMI_TO_NEIGHBOUR, "pmi-to-neighbour", "ISR-4", "bts", "a performance-monitoring interrupt goes to the next processor")

/* Overflow and its interrupt. */
FAULT(OVERFLOW_STATUS_LOST, "overflow-status-lost", "ISR-3 ISR-2", "status", "an overflow sets no bit of IA32_PERF_GLOBAL_STATUS")
FAULT(OVERFLOW_STATUS_ONE, "overflow-status-one", "ISR-2 ISR-3 AAJ148", "status", "of several overflows at once only the first sets its status bit")
FAULT(OVERFLOW_STATUS_STICKY, "overflow-status-sticky", "ISR-3 BJ58", "status", "a status bit has to be cleared twice")
FAULT(OVERFLOW_PMI_LOST, "overflow-pmi-lost", "ISR-2", "counters", "a counter's overflow raises no interrupt")
FAULT(OVERFLOW_PMI_TWICE, "overflow-pmi-twice", "ISR-2 ISR-3 AAJ125 HSD91", "counters", "a counter's overflow interrupts again some thousand instructions later")
FAULT(LVT_REWRITE_REDIRECTS, "lvt-rewrite-redirects", "ISR-2 AAJ35", "counters", "a pending interrupt moves to the vector that the LVT entry gets while it waits")
FAULT(COUNTER_DEAD, "counter-dead", "AAJ91", "counters", "general-purpose counters count nothing")

/* Processor event-based sampling. */
FAULT(PEBS_RECORD_LOST, "pebs-record-lost", "PEBS-1", "pebs", "a record is not stored")
FAULT(PEBS_IP_WRONG, "pebs-ip-wrong", "PEBS-1", "pebs", "the addresses of the instruction and of the next one have changed places")
FAULT(PEBS_REGISTERS_LOST, "pebs-registers-lost", "PEBS-1", "pebs", "general registers are stored as zero")
FAULT(PEBS_EARLY, "pebs-early", "PEBS-1", "pebs", "the overflow itself makes the record, not the event after it")
FAULT(PEBS_LATE, "pebs-late", "PEBS-1 HSD110", "pebs", "the second event after the overflow makes the record")
FAULT(PEBS_NO_RELOAD, "pebs-no-reload", "PEBS-2", "pebs", "the counter does not restart from its reset value")
FAULT(PEBS_THRESHOLD_LATE, "pebs-threshold-late", "PEBS-3 AR64 W127", "pebs", "the interrupt comes one record late")
FAULT(PEBS_PMI_LOST, "pebs-pmi-lost", "PEBS-3 ISR-2", "pebs", "the PEBS threshold raises no interrupt")
FAULT(PEBS_FULL_INTERRUPTS, "pebs-full-interrupts", "PEBS-3 BJ101", "pebs", "a full buffer goes on interrupting")
FAULT(PEBS_TOO_LONG, "pebs-too-long", "PEBS-4", "pebs", "the index moves on by a record and a field")
FAULT(PEBS_FORMAT_WRONG, "pebs-format-wrong", "PEBS-4", "pebs", "records have a neighbour's format")
FAULT(PEBS_IMPRECISE, "pebs-imprecise", "PEBS-5", "pebs precise-only", "events that are not precise make records too")
FAULT(PEBS_RING_IGNORED, "pebs-ring-ignored", "PEBS-1 AR63 W126", "pebs", "a PEBS counter counts in every ring")
FAULT(PEBS_IN_SMM, "pebs-in-smm", "DS-4 AAJ73", "pebs", "a record is stored in SMM")
FAULT(PEBS_DISABLE_LATE, "pebs-disable-late", "ISR-5 HSD159", "pebs", "one more record is stored after its enable was cleared")
FAULT(OVFBUF_MISSING, "ovfbuf-missing", "ISR-3 PEBS-3", "pebs", "the PEBS threshold does not set OvfBuf")
FAULT(OVFBUF_NEEDS_FREEZE, "ovfbuf-needs-freeze", "ISR-3 PEBS-3 AG69", "pebs", "OvfBuf is set only while FREEZE_PERFMON_ON_PMI is")

/* Freeze on PMI: what is frozen. */
FAULT(LBR_NOT_FROZEN, "lbr-not-frozen", "FRZ-2 FRZ-5", "freeze lbr", "the LBR stack is not frozen")
FAULT(FREEZE_WHEN_TAKEN, "freeze-when-taken", "FRZ-2 FRZ-5 FRZ-6 FRZ-8", "freeze", "the freeze comes when the interrupt is taken, not when it is raised")
FAULT(LBR_THAWS, "lbr-thaws", "FRZ-3", "legacy lbr", "acknowledging the overflow sets LBR again")
FAULT(LBR_STAYS_OFF, "lbr-stays-off", "FRZ-3 FRZ-4", "legacy lbr", "the first write that sets LBR after a freeze does not set it")
FAULT(LBR_FRZ_HIDDEN, "lbr-frz-hidden", "FRZ-5", "streamlined lbr", "LBR_Frz reads as clear")
FAULT(LBR_FRZ_IDLE, "lbr-frz-idle", "FRZ-5", "streamlined lbr", "LBR_Frz is set, but the stack goes on")
FAULT(LBR_FRZ_CLEARS_LBR, "lbr-frz-clears-lbr", "FRZ-5", "streamlined lbr", "LBR_Frz is set, and LBR is cleared")
FAULT(GLOBAL_CTRL_KEPT, "global-ctrl-kept", "FRZ-6", "legacy", "IA32_PERF_GLOBAL_CTRL is not cleared")
FAULT(GLOBAL_CTRL_FIXED_KEPT, "global-ctrl-fixed-kept", "FRZ-6", "legacy", "the fixed counters' enables are not cleared")
FAULT(GLOBAL_CTRL_RESTORED, "global-ctrl-restored", "FRZ-7", "legacy", "acknowledging the overflow sets the enables again")
FAULT(CTR_FRZ_MISSING, "ctr-frz-missing", "FRZ-8", "streamlined", "CTR_Frz is not set, nothing stops")
FAULT(CTR_FRZ_HIDDEN, "ctr-frz-hidden", "FRZ-8", "streamlined", "CTR_Frz reads as clear")
FAULT(CTR_FRZ_IDLE, "ctr-frz-idle", "FRZ-8", "streamlined", "CTR_Frz is set, but the counters go on")
FAULT(CTR_FRZ_CLEARS_ENABLES, "ctr-frz-clears-enables", "FRZ-8", "streamlined", "CTR_Frz is set, and IA32_PERF_GLOBAL_CTRL is cleared")
FAULT(CTR_FRZ_MISSES_UPPER, "ctr-frz-misses-upper", "FRZ-8 SKL090", "streamlined counters-5", "counters 4 to 7 are not frozen")
FAULT(CTR_FRZ_MISSES_FIXED, "ctr-frz-misses-fixed", "FRZ-8", "streamlined", "fixed counters are not frozen")
FAULT(LBR_TOP_DUPLICATED, "lbr-top-duplicated", "FRZ-2 FRZ-5 LBR-1 SKL186", "freeze lbr", "the freeze overwrites the newest entry with the one before")
FAULT(LBR_TOP_FROM_STALE, "lbr-top-from-stale", "FRZ-2 FRZ-5 LBR-1 BJ94", "freeze lbr", "the freeze overwrites the newest FROM with the one before")
FAULT(LBR_FROZEN_EARLY, "lbr-frozen-early", "FRZ-11 FRZ-2 FRZ-5 AJ106 AM94", "freeze lbr pebs", "the stack is frozen when the PEBS counter overflows, not at the threshold")

/* Freeze on PMI: by what. */
FAULT(FREEZE_NOT_BY_GENERAL, "freeze-not-by-general", "FRZ-9", "freeze", "a general-purpose counter does not freeze")
FAULT(FREEZE_WITHOUT_INT, "freeze-without-int", "FRZ-9", "freeze", "a general-purpose counter freezes without its bit 20")
FAULT(FREEZE_NOT_BY_FIXED, "freeze-not-by-fixed", "FRZ-10", "freeze", "a fixed counter does not freeze")
FAULT(FREEZE_WITHOUT_FIXED_PMI, "freeze-without-fixed-pmi", "FRZ-10", "freeze", "a fixed counter freezes without its PMI bit")
FAULT(FREEZE_NOT_BY_PEBS, "freeze-not-by-pebs", "FRZ-11", "freeze pebs", "the PEBS threshold does not freeze")
FAULT(BTS_FREEZE_IRREGULAR, "bts-freeze-irregular", "FRZ-12", "freeze bts", "the BTS threshold freezes now and then")
FAULT(FREEZE_LBRS_STOPS_ALL, "freeze-lbrs-stops-all", "FRZ-13", "freeze", "FREEZE_LBRS_ON_PMI freezes the counters too")
FAULT(FREEZE_PERFMON_STOPS_ALL, "freeze-perfmon-stops-all", "FRZ-13", "freeze lbr", "FREEZE_PERFMON_ON_PMI freezes the LBR stack too")
FAULT(FREEZE_NEEDS_BOTH, "freeze-needs-both", "FRZ-13", "freeze", "neither freeze works without the other")

/* SMM, machine check, INIT. */
FAULT(SMM_FREEZE_IGNORED, "smm-freeze-ignored", "FRZ-14", "smm-freeze", "FREEZE_WHILE_SMM has no effect")
FAULT(SMM_LOSES_LBR, "smm-loses-lbr", "FRZ-14", "smm-freeze", "RSM does not bring back LBR, BTF, TR and BTS")
FAULT(SMM_LOSES_ENABLES, "smm-loses-enables", "FRZ-14", "smm-freeze", "RSM does not bring back IA32_PERF_GLOBAL_CTRL")
FAULT(SMM_CLEARS_FREEZE, "smm-clears-freeze", "FRZ-14 HSD52", "freeze", "an SMI clears FREEZE_PERFMON_ON_PMI")
FAULT(BTS_IN_SMM, "bts-in-smm", "DS-4", "bts", "branches in SMM are stored")
FAULT(RSM_JUNK, "rsm-junk", "DS-4 BTS-1 AAJ12", "bts", "RSM stores a record that is none")
FAULT(MACHINE_CHECK_IGNORED, "machine-check-ignored", "DS-5", "bts", "recording goes on after a machine check")
FAULT(INIT_KEEPS_BTS, "init-keeps-bts", "DS-6", "bts", "INIT leaves IA32_DEBUGCTL as it is")
FAULT(INIT_KEEPS_PEBS, "init-keeps-pebs", "DS-6", "pebs", "INIT leaves IA32_PEBS_ENABLE as it is")

/* Last branch records. */
FAULT(LBR_ENTRY_LOST, "lbr-entry-lost", "LBR-1", "lbr", "a branch does not get onto the stack")
FAULT(LBR_FROM_TO_EXCHANGED, "lbr-from-to-exchanged", "LBR-1", "lbr", "FROM and TO have changed places")
FAULT(LBR_TOP_STUCK, "lbr-top-stuck", "LBR-1", "lbr", "TOS does not move")
FAULT(LBR_WRAPS_EARLY, "lbr-wraps-early", "LBR-1", "lbr", "the last entry of the stack is never used")
FAULT(LBR_LOSES_INTERRUPTS, "lbr-loses-interrupts", "LBR-1", "lbr", "interrupts do not get onto the stack")
FAULT(LBR_LOSES_EXCEPTIONS, "lbr-loses-exceptions", "LBR-1", "lbr", "exceptions do not get onto the stack")
FAULT(DEBUG_IN_LBR, "debug-in-lbr", "LBR-1 LBR-2", "lbr", "a debug exception gets onto the stack")
FAULT(DEBUG_KEEPS_LBR, "debug-keeps-lbr", "LBR-2", "", "a debug exception does not clear LBR")
FAULT(DEBUG_CLEARS_STACK, "debug-clears-stack", "LBR-2", "lbr", "a debug exception empties the stack")
FAULT(TR_FEEDS_IRREGULAR, "tr-feeds-irregular", "LBR-3", "lbr", "TR without LBR updates the stack now and then")
FAULT(DEBUG_CLEARS_TR, "debug-clears-tr", "LBR-4", "", "a debug exception clears TR")

/* Last exception record. */
FAULT(LER_DEAD, "ler-dead", "LER-1", "lbr", "no event updates it")
FAULT(LER_OWN_EVENT, "ler-own-event", "LER-1", "lbr", "it holds the event's own FROM and TO")
FAULT(LER_STALE, "ler-stale", "LER-1", "lbr", "it holds the last branch but one")
FAULT(LER_FROM_TO_EXCHANGED, "ler-from-to-exchanged", "LER-1", "lbr", "FROM and TO have changed places")
FAULT(LER_UPPER_HALF_KEPT, "ler-upper-half-kept", "LER-1", "lbr", "an address of compatibility mode leaves the upper half as it was")

/* Single step on branches. */
FAULT(BTF_IGNORED, "btf-ignored", "BTF-1", "", "BTF has no effect: every instruction traps")
FAULT(BTF_DEAD, "btf-dead", "BTF-1", "", "nothing traps while BTF is set")
FAULT(BTF_DEAD_WITH_TR, "btf-dead-with-tr", "BTF-1 C7", "", "nothing traps while BTF and TR are set")
FAULT(BTF_KEPT, "btf-kept", "BTF-1", "", "a debug exception does not clear BTF")
FAULT(BTF_LATE, "btf-late", "BTF-1", "", "the trap comes one instruction after the branch")
FAULT(BTF_MISSES_CONDITIONAL, "btf-misses-conditional", "BTF-1", "", "taken Jcc, LOOP and JRCXZ do not trap")

/* clang-format on */
