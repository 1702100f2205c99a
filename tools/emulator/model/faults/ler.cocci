// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the last exception record.

// in ler_branch
@@
@@
- cpu->ler_from = cpu->last_from;
- cpu->ler_to = cpu->last_to;
+ cpu->ler_from = fault_keep_upper_half(cpu, cpu->ler_from, cpu->last_from);
+ cpu->ler_to = fault_keep_upper_half(cpu, cpu->ler_to, cpu->last_to);

// in remember
@@
expression from;
@@
+ fault_remember_older(cpu);
  cpu->last_from = from;
