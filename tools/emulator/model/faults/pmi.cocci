// SPDX-License-Identifier: GPL-2.0-or-later
// Faults on the way of the interrupt to the local APIC.

// in pmi_flush
@@
@@
- pmi_request(cpu, host);
+ fault_pmi_out(cpu, host);

// in bts_cause
@@
@@
- !cpu->variation.bts_no_freeze
+ (!cpu->variation.bts_no_freeze && !(fault_is_on(cpu, FAULT_BTS_FREEZE_IRREGULAR) &&
+     chance(cpu, 2)))

// in pmi_after_branch
@@
@@
  bts_cause(cpu);
+ outcome = fault(cpu, FAULT_BTS_PMI_LOST) ? BTS_STORED : outcome;

// in pmi_after_overflow
@@
@@
+ fault_overflow_out(cpu);
  if (!cpu->pmi_skidding) {
      ...
  }

// in pmi_after_instruction
@@
expression over;
@@
  if (cpu->pmi_skidding && over) {
      ...
  }
+ fault_repeat_pmi(cpu, host);
