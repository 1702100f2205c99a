// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in what a record of architectural PEBS holds.

// in groups_of
@@
expression number;
@@
- groups |= cpu->config_c[counter_place(number)];
+ groups |= cpu->config_c[fault_is_on(cpu, FAULT_APEBS_CONFIG_SHARED) ? 0 : counter_place(number)];

// in counters_to_tell
@@
expression permitted;
@@
- bool allowed = permitted;
+ bool allowed = fault_is_on(cpu, FAULT_APEBS_ALLOW_IGNORED) || (permitted);

// in put_basic
@@
expression address;
@@
- linear_address(cpu, address)
+ linear_address(cpu, address + fault(cpu, FAULT_APEBS_IP_WRONG))

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

// in arch_pebs_record
@@
@@
  if (
- groups & GROUP_AUX
+ groups & GROUP_AUX && !fault_is_on(cpu, FAULT_APEBS_AUX_MISSING)
  ) {
      ...
  }

// in arch_pebs_record
@@
@@
  if (
- groups & GROUP_REGISTERS
+ groups & GROUP_REGISTERS && !fault_is_on(cpu, FAULT_APEBS_GENERAL_MISSING)
  ) {
      ...
  }

// in put_later_groups
@@
@@
  if (
- groups & GROUPS_VECTORS
+ groups & GROUPS_VECTORS && !fault_is_on(cpu, FAULT_APEBS_VECTORS_MISSING)
  ) {
      ...
  }

// in put_later_groups
@@
@@
  if (
- groups & GROUP_LBR
+ groups & GROUP_LBR && !fault_is_on(cpu, FAULT_APEBS_LBR_MISSING)
  ) {
      ...
  }

// in put_later_groups
@@
@@
  if (
- groups & GROUPS_COUNTERS
+ groups & GROUPS_COUNTERS && !fault_is_on(cpu, FAULT_APEBS_COUNTERS_MISSING)
  ) {
      ...
  }

// in arch_pebs_record
@@
expression rest;
@@
- uint64_t header = GROUP_BASIC | rest;
+ uint64_t header = (fault_is_on(cpu, FAULT_APEBS_BASIC_UNTOLD) ? 0 : GROUP_BASIC) | rest;
  ...

// in arch_pebs_record*2
@@
expression told;
@@
- end_fragment(&writer, cpu, start, told);
+ end_fragment(&writer, cpu, start, fault_apebs_header(cpu, told));

// in put_lbrs
@@
@@
- pebs_put(writer, cpu->lbr_control);
+ pebs_put(writer, cpu->lbr_control & ~(fault(cpu, FAULT_APEBS_LBR_CTL_BARE)
+     ? LBR_CTL_OS | LBR_CTL_USR | LBR_CTL_KINDS : 0));

// in put_lbrs
@@
@@
- pebs_put(writer, cpu->ler_from);
- pebs_put(writer, cpu->ler_to);
- pebs_put(writer, cpu->ler_info);
+ bool told = !(fault(cpu, FAULT_APEBS_LER_ZERO));
+ pebs_put(writer, told ? cpu->ler_from : 0);
+ pebs_put(writer, told ? cpu->ler_to : 0);
+ pebs_put(writer, told ? cpu->ler_info : 0);
