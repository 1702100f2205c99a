// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the counters.

// in counter_refresh
@@
@@
- candidates = 0;
+ candidates = candidates & fault_not_frozen(cpu);

// in counter_cycle
@@
@@
- selects_cpl(cpu, number, cycle->cpl)
+ (selects_cpl(cpu, number, cycle->cpl) || (cpu->pebs_enable >> number & 1 &&
+     fault(cpu, FAULT_PEBS_RING_IGNORED)))
