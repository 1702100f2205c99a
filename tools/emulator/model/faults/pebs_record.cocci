// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in what a PEBS record holds.

// in put_classic pebs_record
@@
@@
- pebs_format(&cpu->profile)
+ fault_pebs_format(cpu)

// in read_registers
@@
@@
  if (
- host->registers
+ host->registers && !fault_is_on(cpu, FAULT_PEBS_REGISTERS_LOST)
  ) {
      ...
  }

// in put_classic put_adaptive
@@
@@
  struct ds_registers registers = read_registers(cpu, host);
+ fault_cut_registers(cpu, event->instruction->cpl, &registers);
  ...
