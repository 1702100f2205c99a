// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_PEBS_ENABLE.

// in write_enable
@@
@@
+ uint64_t taken_out = cpu->pebs_enable & ~value & counter_existing(&cpu->profile);
  cpu->pebs_enable = value;
  pebs_forget(cpu, ~value);
+ if (taken_out && fault(cpu, FAULT_PEBS_DISABLE_LATE)) {
+     cpu->pebs_armed |= taken_out;
+ }

// in write_enable
@@
@@
+ if (fault(cpu, FAULT_PEBS_ENABLE_REFUSED)) {
+     return DS_MSR_FAULT;
+ }
  cpu->pebs_enable = value;

// in write_enable
@@
@@
+ if (fault(cpu, FAULT_PEBS_ENABLE_DROPPED)) {
+     return DS_MSR_DONE;
+ }
  cpu->pebs_enable = value;
