// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in the groups that records of later formats are made of.

// in pebs_registers
@@
@@
  if (
- host->registers
+ host->registers && !(pebs_exists(&cpu->profile) && fault_is_on(cpu, FAULT_PEBS_REGISTERS_LOST))
  ) {
      ...
  }

// in pebs_put_registers
@@
@@
- registers->general[i]
+ registers->general[fault_register(cpu, i)]

// in pebs_registers
@@
@@
+ for (unsigned i = 0; fault_is_on(cpu, FAULT_PEBS_XMM_NARROW) && i < 16; i++) {
+     registers.xmm[i][1] = 0;
+ }
  return registers;

// in pebs_put_lbrs
@@
@@
- for (unsigned age = 0; age < count && age < lbr_depth_most(&cpu->profile); age++) {
+ count -= count > 1 && fault(cpu, FAULT_PEBS_LBR_SHORT);
+ for (unsigned age = 0; age < count && age < lbr_depth_most(&cpu->profile); age++) {
      ...
  }

// in pebs_put_lbrs
@@
@@
- lbr_entry(cpu, age)
+ lbr_entry(cpu, lbr_depth(&cpu->profile) > 0 && fault_is_on(cpu, FAULT_PEBS_LBR_REVERSED)
+     ? count - 1 - age : age)

// in pebs_put_counters
@@
@@
- pebs_put(writer, counters);
+ pebs_put(writer, fault_snapshot_masks(cpu, counters));

// in pebs_put_counters
@@
@@
- snapshot(cpu, host, event, counter_first(rest))
+ fault_snapshot_value(cpu, fault_snapshot_order(cpu, counters, rest),
+     snapshot(cpu, host, event, fault_snapshot_order(cpu, counters, rest)))

// in pebs_retire_latency
@@
@@
- pebs_latency_is_known(cpu, counters)
+ (!fault_is_on(cpu, FAULT_RETIRE_LATENCY_UNTOLD) && pebs_latency_is_known(cpu, counters))

// in pebs_retire_latency
@@
@@
+ if (fault_untimed_latency(cpu)) {
+     return (now & LATENCY_MOST) | 1;
+ }
  return cycles < LATENCY_MOST ? cycles : LATENCY_MOST;
