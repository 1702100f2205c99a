// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every erratum that the emulated silicon can have. No include guard: define some of the macros,
 * then include this.
 *
 * MODELS(group, DisplayModels...): models of family 6 that share a core, and therefore its errata.
 *
 * SYMPTOM(identifier, needs, what it does): an effect for which there is no fault in fault_list.h.
 * `needs` has the same form as there.
 *
 * ERRATUM(name, further names, effect, models, N): an erratum of these models. Its effect, a fault
 * (FAULT_...) or a symptom (SYMPTOM_...), happens on one occasion in N.
 *
 * MICROCODE(group, {DisplayModel, stepping, revision}...): the revisions from which on microcode
 * mends an erratum.
 *
 * ERRATUM_MENDED(as ERRATUM, group): an erratum that a processor with such a revision, or a newer
 * one, does not have.
 *
 * Chances are low where an erratum's text says "may", but high enough to show in one run.
 */
#ifndef MODELS
#define MODELS(...)
#endif
#ifndef MICROCODE
#define MICROCODE(...)
#endif
#ifndef SYMPTOM
#define SYMPTOM(identifier, needs, help)
#endif
#ifndef ERRATUM
#define ERRATUM(name, further, effect, models, period)
#endif
#ifndef ERRATUM_MENDED
#define ERRATUM_MENDED(name, further, effect, models, period, microcode)
#endif

/* clang-format off */

MODELS(core2, 0x0f, 0x16)
MODELS(core2_and_penryn, 0x0f, 0x16, 0x17)
MODELS(bonnell, 0x1c)
MODELS(nehalem, 0x1a, 0x1e, 0x1f, 0x2e)
MODELS(westmere, 0x25, 0x2c, 0x2f)
MODELS(sandy_bridge, 0x2a, 0x2d)
MODELS(ivy_bridge, 0x3a, 0x3e)
MODELS(haswell, 0x3c, 0x45, 0x46, 0x3f)
MODELS(broadwell, 0x3d, 0x47, 0x4f, 0x56)
MODELS(goldmont, 0x5c, 0x5f, 0x7a)
MODELS(skylake, 0x4e, 0x5e, 0x55)
MODELS(kaby_lake, 0x8e, 0x9e)
MODELS(comet_lake, 0xa5, 0xa6)
MODELS(nehalem_and_westmere, 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f)
MODELS(nehalem_to_broadwell, 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f, 0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x45, 0x46, 0x3f, 0x3d, 0x47, 0x4f, 0x56)

/* With older microcode than this Linux does not use PEBS (F22.41). */
MICROCODE(sandy_bridge_pebs, {0x2a, 7, 0x28}, {0x2d, 6, 0x618}, {0x2d, 7, 0x70c})

/* With older microcode than this Linux does not use the freeze of counters (L22). */
MICROCODE(goldmont_freeze, {0x5c, 2, 0x0e}, {0x5c, 9, 0x2e}, {0x5c, 10, 0x08}, {0x5f, 1, 0x28}, {0x7a, 1, 0x28}, {0x7a, 8, 0x06})

/* Records of branches. */
SYMPTOM(PREDICTED_MEANINGLESS, "bts", "the predicted flag of a BTS record says nothing")
SYMPTOM(FROM_REPEATED, "bts", "FROM of a BTS record is that in the record before")
SYMPTOM(FROM_AFTER_TRANSITION, "bts", "FROM of the first branch after a change of frequency, voltage or duty cycle, or after C1E, is wrong")
SYMPTOM(JUNK_AFTER_RSM, "", "RSM makes a BTS record and an LBR entry that are none")
SYMPTOM(LER_CHANGES, "lbr", "a branch changes the last exception record, though it is no event")
SYMPTOM(CALL_NEEDS_JMP, "lbr", "MSR_LBR_SELECT loses calls where it keeps jumps off the stack")
SYMPTOM(CALL_NEXT_KEPT, "lbr", "call-stack mode keeps a CALL of the next instruction")
SYMPTOM(LBR_FLAGS_REFUSED, "lbr no-rtm", "a write to an LBR FROM faults, unless its bits 62:61 are copies of bit 47")
SYMPTOM(LBR_AFTER_RESET, "lbr", "the LBR stack is not empty after RESET")

/* Counters. */
SYMPTOM(FIXED_ENABLED_AFTER_RESET, "fixed", "IA32_PERF_GLOBAL_CTRL bits 34:32 are set after RESET")
SYMPTOM(COUNTERS_NEED_FLUSH, "status", "general-purpose counters count nothing, until the sequence B5H, D2H, B1H, B1H has been through them")
SYMPTOM(INSTRUCTIONS_INEXACT, "counters", "an instruction is counted twice or not at all")
SYMPTOM(STRING_COUNTED_TWICE, "counters", "a repeated MOVS or STOS is counted twice")
SYMPTOM(IRET_COUNTED_TWICE, "counters", "an IRET is counted twice")
SYMPTOM(MISPREDICT_EXTRA, "counters", "a predicted branch is counted as a mispredicted one")
SYMPTOM(CROSSING_PAUSES, "counters", "after a change of ring, counters of one of OS and USR miss two instructions")
SYMPTOM(INVERTED_OTHER_RING, "counters", "a counter with INV, CMASK and one of OS and USR counts the cycles of the other ring, too")
SYMPTOM(UPPER_USER_DEAD, "counters-5", "counters 4 to 7 count nothing with USR alone")
SYMPTOM(UPPER_SELECT_MISREAD, "counters-5", "IA32_PERFEVTSEL4 to 7 read wrong")

/* Overflow and its interrupt. */
SYMPTOM(CLOSE_OVERFLOW_LOST, "freeze fixed", "of fixed counters that overflow together only the first sets its status bit, while FREEZE_PERFMON_ON_PMI is set")
SYMPTOM(OVERFLOW_STICKS, "status", "an overflow just before a write to IA32_PERF_GLOBAL_CTRL that disables its counter sets its status bit and interrupts once more, when the counter is enabled again")
SYMPTOM(PMI_UNTIL_CLEARED, "status", "an overflow interrupts again and again, until its status bit is cleared")
SYMPTOM(SET_CONDCHGD_IGNORED, "streamlined", "IA32_PERF_GLOBAL_STATUS_SET takes bit 63, and does nothing with it")
SYMPTOM(FIXED_2_PMI_TWICE, "fixed", "IA32_FIXED_CTR2 and another counter that overflow together interrupt twice")
SYMPTOM(FIXED_2_LARGE_PMI, "fixed", "a write of more than FFFFFFFFFFC0H to IA32_FIXED_CTR2 interrupts")

/* Processor event-based sampling. */
SYMPTOM(PEBS_SWITCH_PMI, "pebs", "a write to IA32_PEBS_ENABLE interrupts")
SYMPTOM(PEBS_PMI_DELAYED, "pebs", "the interrupt of an index that equals the threshold comes with the next record, stored or not")
SYMPTOM(PEBS_AFTER_DISABLE, "pebs", "a counter that is armed when its enable is cleared makes its record all the same")
SYMPTOM(PEBS_AFTER_SMM, "pebs smm-freeze", "a counter that is armed when an SMI comes makes its record after RSM")
SYMPTOM(PEBS_SECOND_EVENT, "pebs", "a record is that of the second event after the overflow")
SYMPTOM(PEBS_SHADOW_LATE, "pebs", "the record of STI, MOV SS or POP SS is that of the instruction after it")
SYMPTOM(PEBS_STATUS_MERGED, "pebs-counters pebs-status", "a record's status names every counter that samples")
SYMPTOM(PEBS_RELOAD_SHORT, "pebs-counters", "PMC1 sampling C0H/01H restarts one below a reset value that is above -100")
SYMPTOM(EVENTING_IP_OLD, "pebs eventing-ip", "a record's instruction is the one before it")
SYMPTOM(EVENTING_IP_BEFORE_JCC, "pebs eventing-ip", "the record of a branch that was not taken has the instruction before it")

/* Core 2. */
ERRATUM("AR62", "W125", FAULT_FROM_CROSSING_STALE, core2, 4)
ERRATUM("AR63", "W126 AJ67", FAULT_PEBS_RING_IGNORED, core2, 4)
ERRATUM("AR64", "W127 AJ68", SYMPTOM_PEBS_PMI_DELAYED, core2, 2)
ERRATUM("AG69", "AJ69", FAULT_OVFBUF_NEEDS_FREEZE, core2, 1)
ERRATUM("W119", "", FAULT_FROM_SIGN_EXTENDED, core2_and_penryn, 1)
ERRATUM("W146", "", FAULT_CPUID_IS_BRANCH, core2, 1)
ERRATUM("AJ106", "AM94 AI107", FAULT_LBR_FROZEN_EARLY, core2, 1)

/* Atom. */
ERRATUM("bonnell-lbr-freeze", "", FAULT_LBR_NOT_FROZEN, bonnell, 1)

ERRATUM_MENDED("goldmont-freeze", "", FAULT_CTR_FRZ_MISSING, goldmont, 4, goldmont_freeze)

/* Nehalem. */
ERRATUM("AAJ12", "", SYMPTOM_JUNK_AFTER_RSM, nehalem, 1)
ERRATUM("AAJ18", "", FAULT_FROM_SIGN_EXTENDED, nehalem, 1)
ERRATUM("AAJ35", "", FAULT_LVT_REWRITE_REDIRECTS, nehalem, 1)
ERRATUM("AAJ73", "", SYMPTOM_PEBS_AFTER_SMM, nehalem, 1)
ERRATUM("AAJ80", "", SYMPTOM_MISPREDICT_EXTRA, nehalem, 4)
ERRATUM("AAJ83", "", SYMPTOM_FIXED_ENABLED_AFTER_RESET, nehalem, 1)
ERRATUM("AAJ91", "AAK100", SYMPTOM_COUNTERS_NEED_FLUSH, nehalem, 1)
ERRATUM("AAJ119", "", SYMPTOM_FIXED_2_PMI_TWICE, nehalem, 1)
ERRATUM("AAJ120", "", SYMPTOM_LBR_AFTER_RESET, nehalem, 1)
ERRATUM("AAJ122", "", SYMPTOM_FROM_AFTER_TRANSITION, nehalem, 1)
ERRATUM("AAJ128", "", SYMPTOM_PEBS_SHADOW_LATE, nehalem, 1)
ERRATUM("AAJ132", "", SYMPTOM_LER_CHANGES, nehalem, 50)
ERRATUM("AAJ148", "AAJ157", SYMPTOM_CLOSE_OVERFLOW_LOST, nehalem, 1)
ERRATUM("nehalem-lbr-select", "", SYMPTOM_CALL_NEEDS_JMP, nehalem_and_westmere, 1)
ERRATUM("pebs-status-merged", "", SYMPTOM_PEBS_STATUS_MERGED, nehalem_to_broadwell, 4)

/* Westmere. */
ERRATUM("AAT8", "", SYMPTOM_JUNK_AFTER_RSM, westmere, 1)
ERRATUM("AAT14", "", FAULT_FROM_SIGN_EXTENDED, westmere, 1)
ERRATUM("AAT27", "", FAULT_LVT_REWRITE_REDIRECTS, westmere, 1)
ERRATUM("AAT33", "BD41", SYMPTOM_PEBS_AFTER_SMM, westmere, 1)
ERRATUM("AAT37", "", SYMPTOM_FIXED_ENABLED_AFTER_RESET, westmere, 1)
ERRATUM("AAT43", "AAP53 BD53", SYMPTOM_COUNTERS_NEED_FLUSH, westmere, 1)
ERRATUM("AAT56", "", SYMPTOM_FIXED_2_PMI_TWICE, westmere, 1)
ERRATUM("AAT57", "", SYMPTOM_LBR_AFTER_RESET, westmere, 1)
ERRATUM("AAT58", "", SYMPTOM_FROM_AFTER_TRANSITION, westmere, 1)
ERRATUM("AAT64", "", SYMPTOM_PEBS_SHADOW_LATE, westmere, 1)
ERRATUM("AAT67", "", SYMPTOM_LER_CHANGES, westmere, 50)
ERRATUM("AAT112", "", SYMPTOM_CLOSE_OVERFLOW_LOST, westmere, 1)

/* Sandy Bridge. */
ERRATUM("BJ13", "BK13", SYMPTOM_PEBS_AFTER_SMM, sandy_bridge, 1)
ERRATUM("BJ18", "BK18", SYMPTOM_LER_CHANGES, sandy_bridge, 50)
ERRATUM("BJ19", "BK19", FAULT_FROM_SIGN_EXTENDED, sandy_bridge, 1)
ERRATUM("BJ28", "BK28", SYMPTOM_PEBS_SHADOW_LATE, sandy_bridge, 1)
ERRATUM("BJ32", "BK32", SYMPTOM_JUNK_AFTER_RSM, sandy_bridge, 1)
ERRATUM("BJ43", "BK43", SYMPTOM_FROM_AFTER_TRANSITION, sandy_bridge, 1)
ERRATUM("BJ58", "BK58", SYMPTOM_OVERFLOW_STICKS, sandy_bridge, 4)
ERRATUM("BJ74", "BJ109 BK73 BK108", SYMPTOM_CLOSE_OVERFLOW_LOST, sandy_bridge, 1)
ERRATUM("BJ77", "BK76", SYMPTOM_FIXED_2_LARGE_PMI, sandy_bridge, 1)
ERRATUM("BJ94", "BK93", FAULT_LBR_TOP_FROM_STALE, sandy_bridge, 2)
ERRATUM("BJ101", "BK100", FAULT_PEBS_FULL_INTERRUPTS, sandy_bridge, 1)
ERRATUM("BJ103", "BK102", SYMPTOM_PEBS_RELOAD_SHORT, sandy_bridge, 2)
ERRATUM_MENDED("BJ106", "BK105", SYMPTOM_PEBS_SWITCH_PMI, sandy_bridge, 20, sandy_bridge_pebs)
ERRATUM("BJ136", "", SYMPTOM_INSTRUCTIONS_INEXACT, sandy_bridge, 1000)

/* Ivy Bridge. */
ERRATUM("BV8", "BU8", FAULT_FROM_SIGN_EXTENDED, ivy_bridge, 1)
ERRATUM("BV10", "BU10", SYMPTOM_JUNK_AFTER_RSM, ivy_bridge, 1)
ERRATUM("BV15", "BU15", SYMPTOM_LER_CHANGES, ivy_bridge, 50)
ERRATUM("BV16", "BU16", SYMPTOM_PEBS_SHADOW_LATE, ivy_bridge, 1)
ERRATUM("BV26", "BU26", SYMPTOM_FROM_AFTER_TRANSITION, ivy_bridge, 1)
ERRATUM("BV35", "BU35", SYMPTOM_FIXED_2_LARGE_PMI, ivy_bridge, 1)
ERRATUM("BV51", "BU51", FAULT_PEBS_FULL_INTERRUPTS, ivy_bridge, 1)
ERRATUM("BV52", "BU52", SYMPTOM_IRET_COUNTED_TWICE, ivy_bridge, 1)
ERRATUM("BV72", "BU73", SYMPTOM_CLOSE_OVERFLOW_LOST, ivy_bridge, 1)
ERRATUM("BV80", "BV86 BU81 BU88", SYMPTOM_UPPER_SELECT_MISREAD, ivy_bridge, 1)
ERRATUM("BV85", "BU87", SYMPTOM_OVERFLOW_STICKS, ivy_bridge, 4)
ERRATUM("BV112", "BU115", SYMPTOM_INSTRUCTIONS_INEXACT, ivy_bridge, 1000)

/* Haswell. */
ERRATUM("HSD1", "HSM1", FAULT_FROM_SIGN_EXTENDED, haswell, 1)
ERRATUM("HSD4", "HSM4", SYMPTOM_LER_CHANGES, haswell, 50)
ERRATUM("HSD8", "HSM8", SYMPTOM_PEBS_AFTER_SMM, haswell, 1)
ERRATUM("HSD11", "HSM11", SYMPTOM_PEBS_RELOAD_SHORT, haswell, 2)
ERRATUM("HSD52", "HSM53", FAULT_SMM_CLEARS_FREEZE, haswell, 1)
ERRATUM("HSD53", "HSM54", SYMPTOM_FROM_REPEATED, haswell, 30)
ERRATUM("HSD73", "HSM74", SYMPTOM_INVERTED_OTHER_RING, haswell, 1)
ERRATUM("HSD80", "HSM83", SYMPTOM_CALL_NEXT_KEPT, haswell, 1)
ERRATUM("HSD91", "HSM97", SYMPTOM_PMI_UNTIL_CLEARED, haswell, 4)
ERRATUM("HSD110", "HSM119", SYMPTOM_PEBS_SECOND_EVENT, haswell, 8)
ERRATUM("HSD140", "HSM151", SYMPTOM_INSTRUCTIONS_INEXACT, haswell, 1000)
ERRATUM("HSD159", "HSM169", SYMPTOM_PEBS_AFTER_DISABLE, haswell, 2)
ERRATUM("HSD167", "HSM177", SYMPTOM_EVENTING_IP_OLD, haswell, 20)
ERRATUM("HSD172", "HSM182", SYMPTOM_LBR_FLAGS_REFUSED, haswell, 1)

/* Broadwell. */
ERRATUM("BDD1", "BDM1", FAULT_FROM_SIGN_EXTENDED, broadwell, 1)
ERRATUM("BDD4", "BDM4", SYMPTOM_LER_CHANGES, broadwell, 50)
ERRATUM("BDD8", "BDM8", SYMPTOM_PEBS_AFTER_SMM, broadwell, 1)
ERRATUM("BDD11", "BDM11", SYMPTOM_PEBS_RELOAD_SHORT, broadwell, 2)
ERRATUM("BDD38", "BDM38", SYMPTOM_PMI_UNTIL_CLEARED, broadwell, 4)
ERRATUM("BDD49", "BDM50", SYMPTOM_EVENTING_IP_BEFORE_JCC, broadwell, 2)
ERRATUM("BDD58", "BDM61", SYMPTOM_INSTRUCTIONS_INEXACT, broadwell, 1000)
ERRATUM("BDD102", "BDM114", SYMPTOM_PEBS_AFTER_DISABLE, broadwell, 2)
ERRATUM("BDD111", "BDM121", SYMPTOM_EVENTING_IP_OLD, broadwell, 20)
ERRATUM("BDD116", "BDM126", SYMPTOM_UPPER_USER_DEAD, broadwell, 1)
ERRATUM("BDD117", "BDM127", SYMPTOM_LBR_FLAGS_REFUSED, broadwell, 1)
ERRATUM("BDM120", "", SYMPTOM_CROSSING_PAUSES, broadwell, 2)

/* Skylake. */
ERRATUM("SKL018", "", SYMPTOM_EVENTING_IP_BEFORE_JCC, skylake, 2)
ERRATUM("SKL088", "", SYMPTOM_PREDICTED_MEANINGLESS, skylake, 1)
ERRATUM("SKL090", "", FAULT_CTR_FRZ_MISSES_UPPER, skylake, 1)
ERRATUM("SKL091", "", SYMPTOM_STRING_COUNTED_TWICE, skylake, 2)
ERRATUM("SKL104", "", SYMPTOM_PEBS_AFTER_DISABLE, skylake, 2)
ERRATUM("SKL117", "", SYMPTOM_CROSSING_PAUSES, skylake, 2)
ERRATUM("SKL120", "", SYMPTOM_EVENTING_IP_OLD, skylake, 20)
ERRATUM("SKL164", "", SYMPTOM_SET_CONDCHGD_IGNORED, skylake, 1)
ERRATUM("SKL186", "", FAULT_LBR_TOP_DUPLICATED, skylake, 2)

/* Kaby Lake and Coffee Lake. */
ERRATUM("KBL018", "CFL-018", SYMPTOM_EVENTING_IP_BEFORE_JCC, kaby_lake, 2)
ERRATUM("KBL054", "CFL-054", SYMPTOM_PREDICTED_MEANINGLESS, kaby_lake, 1)
ERRATUM("KBL056", "CFL-056", FAULT_CTR_FRZ_MISSES_UPPER, kaby_lake, 1)
ERRATUM("KBL057", "CFL-057", SYMPTOM_STRING_COUNTED_TWICE, kaby_lake, 2)
ERRATUM("KBL063", "CFL-062", SYMPTOM_CROSSING_PAUSES, kaby_lake, 2)
ERRATUM("KBL067", "CFL-064", SYMPTOM_EVENTING_IP_OLD, kaby_lake, 20)
ERRATUM("KBL118", "CFL-103", SYMPTOM_SET_CONDCHGD_IGNORED, kaby_lake, 1)
ERRATUM("KBL143", "CFL-135", FAULT_LBR_TOP_DUPLICATED, kaby_lake, 2)

/* Comet Lake. */
ERRATUM("CML018", "", SYMPTOM_EVENTING_IP_BEFORE_JCC, comet_lake, 2)
ERRATUM("CML054", "", SYMPTOM_PREDICTED_MEANINGLESS, comet_lake, 1)
ERRATUM("CML056", "", FAULT_CTR_FRZ_MISSES_UPPER, comet_lake, 1)
ERRATUM("CML057", "", SYMPTOM_STRING_COUNTED_TWICE, comet_lake, 2)
ERRATUM("CML062", "", SYMPTOM_CROSSING_PAUSES, comet_lake, 2)
ERRATUM("CML064", "", SYMPTOM_EVENTING_IP_OLD, comet_lake, 20)
ERRATUM("CML098", "", SYMPTOM_SET_CONDCHGD_IGNORED, comet_lake, 1)
ERRATUM("CML121", "", FAULT_LBR_TOP_DUPLICATED, comet_lake, 2)

/* clang-format on */

#undef MODELS
#undef MICROCODE
#undef SYMPTOM
#undef ERRATUM
#undef ERRATUM_MENDED
