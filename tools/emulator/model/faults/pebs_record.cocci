// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in what a PEBS record holds.

// in put_classic
@@
@@
- pebs_format(&cpu->profile)
+ fault_pebs_format(cpu)

// in put_classic put_adaptive
@@
@@
  struct ds_registers registers = pebs_registers(cpu, host);
+ fault_cut_registers(cpu, event->instruction->cpl, &registers);
  ...

// in put_classic
@@
@@
- format >= 3 ? event->counters : event->status
+ format >= 3 ? fault_told_counters(cpu, event->counters) : event->status

// in put_adaptive
@@
@@
- pebs_put(writer, event->counters);
+ pebs_put(writer, fault_told_counters(cpu, event->counters));

// in put_classic
@@
@@
- pebs_put(writer, pebs_time(host));
+ pebs_put(writer, fault_record_time(cpu, pebs_time(host)));

// in put_adaptive
@@
@@
- pebs_put(writer, now);
+ pebs_put(writer, fault_record_time(cpu, now));

// in data_config
@@
expression number;
@@
- counter_is_adaptive(cpu, number)
+ fault_is_adaptive(cpu, number)

// in put_adaptive
@@
expression counters, metrics;
@@
- pebs_put_counters(writer, cpu, host, event, counters, metrics);
+ pebs_put_counters(writer, cpu, host, event, fault_snapshot(cpu, counters), metrics);
