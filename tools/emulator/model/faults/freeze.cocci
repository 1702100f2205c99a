// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of freeze on PMI: what is frozen, and how.

// in freeze_on_pmi
@@
@@
  uint64_t asked = cpu->debugctl & FREEZE_BOTH;
+ asked &= ~(fault(cpu, FAULT_LBR_NOT_FROZEN) ? (uint64_t)FREEZE_LBRS : 0);
  ...

// in freeze_on_pmi
@@
@@
  uint64_t asked = cpu->debugctl & FREEZE_BOTH;
+ asked = asked == FREEZE_PERFMON && fault(cpu, FAULT_FREEZE_PERFMON_STOPS_ALL) ? FREEZE_BOTH
+     : asked;
  ...

// in freeze_on_pmi
@@
@@
  uint64_t asked = cpu->debugctl & FREEZE_BOTH;
+ asked = asked == FREEZE_LBRS && fault(cpu, FAULT_FREEZE_LBRS_STOPS_ALL) ? FREEZE_BOTH : asked;
  ...

// in freeze_on_pmi
@@
@@
  uint64_t asked = cpu->debugctl & FREEZE_BOTH;
+ asked = asked != FREEZE_BOTH && fault(cpu, FAULT_FREEZE_NEEDS_BOTH) ? 0 : asked;
  ...

// in freeze_on_pmi
@@
@@
  uint64_t asked = cpu->debugctl & FREEZE_BOTH;
+ if (fault_freeze_waits(cpu)) {
+     return;
+ }
  ...

// in freeze_on_pmi
@@
@@
+ if (asked & FREEZE_LBRS) {
+     fault_top_at_freeze(cpu);
+ }
  if (legacy) {
      ...
  } else {
      ...
  }

// in freeze_on_pmi
@@
expression by_version;
@@
- bool legacy = by_version;
+ bool legacy = (by_version) != fault(cpu, FAULT_FREEZE_FLAVOUR);

// in freeze_legacy
@@
@@
- cpu->global_control = 0;
+ cpu->global_control &= fault(cpu, FAULT_GLOBAL_CTRL_FIXED_KEPT) ? ~0ull << COUNTER_FIXED : 0;

// in freeze_legacy
@@
expression kept;
@@
- cpu->global_control &= kept;
+ if (!fault(cpu, FAULT_GLOBAL_CTRL_KEPT)) {
+     fault_remember_enables(cpu);
+     cpu->global_control &= kept;
+ }

// in clear_lbr
@@
expression others;
@@
+ fault_remember_lbr(cpu);
  cpu->debugctl &= others;

// in freeze_streamlined
@@
@@
  cpu->global_status |= STATUS_CTR_FRZ;
+ cpu->global_control &= fault(cpu, FAULT_CTR_FRZ_CLEARS_ENABLES) ? 0 : ~0ull;

// in freeze_streamlined
@@
@@
- cpu->global_status |= STATUS_CTR_FRZ;
+ cpu->global_status |= fault(cpu, FAULT_CTR_FRZ_MISSING) ? 0 : STATUS_CTR_FRZ;

// in freeze_streamlined
@@
typedef uint64_t;
@@
  cpu->global_status |= STATUS_LBR_FRZ;
+ cpu->lbr_control &= fault(cpu, FAULT_LBR_FRZ_CLEARS_LBREN) ? ~LBR_CTL_LBREN : ~0ull;
+ cpu->fault_memory.lbr_stuck = fault(cpu, FAULT_LBR_FRZ_STUCK);
+ if (fault(cpu, FAULT_LBR_FRZ_EMPTIES)) {
+     fault_clear_stack(cpu);
+ }
+ cpu->debugctl &= fault(cpu, FAULT_LBR_FRZ_CLEARS_LBR) ? ~(uint64_t)DEBUGCTL_LBR : ~0ull;
