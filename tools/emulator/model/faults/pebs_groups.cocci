// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in the groups that records of later formats are made of.

// in pebs_put_registers
@@
@@
- registers->general[i]
+ registers->general[fault_register(cpu, i)]

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
+ if (fault_untimed_latency(cpu)) {
+     return (now & LATENCY_MOST) | 1;
+ }
  return cycles < LATENCY_MOST ? cycles : LATENCY_MOST;
