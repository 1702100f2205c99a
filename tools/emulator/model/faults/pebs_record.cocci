// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in what a PEBS record holds.

// in put_classic
@@
@@
- pebs_format(&cpu->profile)
+ fault_pebs_format(cpu)

// in pebs_record
@@
@@
- pebs_is_adaptive(&cpu->profile)
+ (pebs_is_adaptive(&cpu->profile) && !fault_is_on(cpu, FAULT_PEBS_FORMAT_WRONG))

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

// in data_config
@@
@@
- return 0;
+ return fault_is_on(cpu, FAULT_PEBS_ADAPTIVE_ALWAYS) ? cpu->pebs_data_config : 0;

// in put_adaptive
@@
@@
  for (unsigned i = 0;
- config & DATA_CONFIG_MEMORY
+ config & DATA_CONFIG_MEMORY && !fault_is_on(cpu, FAULT_PEBS_MEMORY_MISSING)
  && i < 4; i++) {
      ...
  }

// in put_adaptive
@@
@@
  if (
- config & DATA_CONFIG_REGISTERS
+ config & DATA_CONFIG_REGISTERS && !fault_is_on(cpu, FAULT_PEBS_GENERAL_MISSING)
  ) {
      ...
  }

// in put_adaptive*2
@@
@@
  if (
- config & DATA_CONFIG_XMM
+ config & DATA_CONFIG_XMM && !fault_is_on(cpu, FAULT_PEBS_XMM_MISSING)
  ) {
      ...
  }

// in put_adaptive
@@
@@
  if (
- config & DATA_CONFIG_LBR
+ config & DATA_CONFIG_LBR && !fault_is_on(cpu, FAULT_PEBS_LBR_MISSING)
  ) {
      ...
  }

// in put_adaptive
@@
@@
  if (
- config & (DATA_CONFIG_COUNTERS | DATA_CONFIG_METRICS)
+ config & (DATA_CONFIG_COUNTERS | DATA_CONFIG_METRICS) && !fault_is_on(cpu, FAULT_SNAPSHOT_MISSING)
  ) {
      ...
  }

// in put_adaptive
@@
expression general, xmm;
@@
+ if (fault_is_on(cpu, FAULT_PEBS_GROUPS_EXCHANGED) && xmm) {
+     pebs_put_xmm(writer, &registers);
+ }
  if (general) {
      pebs_put_registers(writer, cpu, &registers, event);
  }
  if (
- xmm
+ (xmm) && !fault_is_on(cpu, FAULT_PEBS_GROUPS_EXCHANGED)
  ) {
      pebs_put_xmm(writer, &registers);
  }

// in put_adaptive
@@
expression counters, metrics;
@@
- pebs_put_counters(writer, cpu, host, event, counters, metrics);
+ pebs_put_counters(writer, cpu, host, event, fault_snapshot(cpu, counters), metrics);

// in put_adaptive
@@
@@
- config & DATA_CONFIG_TOLD
+ config & (fault_is_on(cpu, FAULT_PEBS_GROUPS_UNTOLD) ? 0 : DATA_CONFIG_TOLD)

// in put_adaptive
@@
@@
- size << 48
+ (size + (fault(cpu, FAULT_PEBS_SIZE_WRONG) ? 8 : 0)) << 48
