// SPDX-License-Identifier: GPL-2.0-or-later
// Faults on the way of the interrupt to the local APIC.

// in pmi_flush
@@
@@
- pmi_request(cpu, host);
+ fault_pmi_out(cpu, host);

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
