// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the counters.

// in counter_refresh
@@
@@
- candidates = 0;
+ candidates = candidates & fault_not_frozen(cpu);

// in counter_refresh
@@
@@
- candidates &= cpu->global_control;
+ candidates &= cpu->global_control | fault_enabled(cpu);

// in counter_fixed_field
@@
@@
- cpu->fixed_control >> (number - COUNTER_FIXED) * FIXED_FIELD_WIDTH
+ cpu->fixed_control >> (fault_fixed_field(cpu, number) - COUNTER_FIXED) * FIXED_FIELD_WIDTH

// in selects_cpl
@@
@@
- return counter_fixed_field(cpu, number) & (cpl == 0 ? FIXED_OS : FIXED_USR);
+ return counter_fixed_field(cpu, number) & (cpl == 0 ? FIXED_OS : FIXED_USR) ||
+     fault_counts_in_every_ring(cpu, number);

// in counter_reload_others
@@
expression cause;
@@
  if (
- cause
+ (cause) && fault_reloads(cpu, number)
  ) {
      reload(cpu, number);
  }

// in selects_cpl
@@
@@
- cpl == 0 ? FIXED_OS : FIXED_USR
+ fault_ring(cpu, cpl) == 0 ? FIXED_OS : FIXED_USR

// in selects_cpl
@@
@@
- cpl == 0 ? PERFEVTSEL_OS : PERFEVTSEL_USR
+ fault_ring(cpu, cpl) == 0 ? PERFEVTSEL_OS : PERFEVTSEL_USR

// in counter_cycle
@@
@@
- unsigned increment = event_times(&cpu->profile, cycle, event_of(cpu, number));
+ unsigned increment = fault_far_lost(cpu, number, cycle) ? 0
+     : event_times(&cpu->profile, cycle, event_of(cpu, number));

// in counter_signals
@@
@@
- return counter_fixed_field(cpu, number) & FIXED_PMI;
+ return counter_fixed_field(cpu, number) & FIXED_PMI &&
+     (!fault_upper(cpu, number, FAULT_COUNT, FAULT_FIXED_UPPER_PMI_LOST));

// in counter_signals
@@
@@
- return cpu->general_select[number] & PERFEVTSEL_INT;
+ return cpu->general_select[number] & PERFEVTSEL_INT &&
+     (!fault_upper(cpu, number, FAULT_UPPER_PMI_LOST, FAULT_COUNT));

// in is_enabled
@@
@@
- return counter_fixed_field(cpu, number) & (FIXED_OS | FIXED_USR);
+ return counter_fixed_field(cpu, number) & (FIXED_OS | FIXED_USR) ||
+     fault_upper(cpu, number, FAULT_COUNT, FAULT_FIXED_UPPER_CONTROL_IGNORED);
