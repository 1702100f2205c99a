// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in what a record of architectural PEBS holds.

// in put_basic
@@
@@
- pebs_put(writer, now);
+ pebs_put(writer, fault_record_time(cpu, now));

// in put_later_groups
@@
expression counters, metrics;
@@
- pebs_put_counters(writer, cpu, host, event, counters, metrics);
+ pebs_put_counters(writer, cpu, host, event, fault_snapshot(cpu, counters), metrics);

// in put_basic
@@
@@
- pebs_put(writer, event->counters);
+ pebs_put(writer, fault_apebs_told(cpu, event->counters));

// in arch_pebs_record*2
@@
expression told;
@@
- end_fragment(&writer, cpu, start, told);
+ end_fragment(&writer, cpu, start, fault_apebs_header(cpu, told));
