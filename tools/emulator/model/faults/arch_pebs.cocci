// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of architectural PEBS.

// in arch_pebs_reset_value
@@
expression config;
@@
- uint64_t value = config;
+ uint64_t value = fault_apebs_reload(cpu, number, config);
  ...

// in arch_pebs_reset_value
@@
@@
+ if (fault_is_on(cpu, FAULT_APEBS_RELOAD_UNSIGNED)) {
+     return value;
+ }
  return (value ^ CONFIG_RELOAD_SIGN) - CONFIG_RELOAD_SIGN;

// in arch_pebs_counters
@@
@@
  if (
- !is_on(cpu) && cpu->variation.arch_pebs_off_overflows
+ !is_on(cpu) && cpu->variation.arch_pebs_off_overflows &&
+         !fault_is_on(cpu, FAULT_APEBS_EN_IGNORED)
  ) { ... }

// in buffer_size
@@
@@
- cpu->arch_pebs_base & BASE_SIZE
+ cpu->arch_pebs_base & (fault_is_on(cpu, FAULT_APEBS_SIZE_IGNORED) ? 0 : BASE_SIZE)

// in store
@@
expression wr;
@@
- uint64_t place = wr;
+ uint64_t place = fault_is_on(cpu, FAULT_APEBS_WR_IGNORED) ? 0 : wr;
  ...

// in store
@@
@@
  if (
- !is_on(cpu) || cpu->arch_pebs_index & INDEX_FULL
+ fault_apebs_drops(cpu, !is_on(cpu), cpu->arch_pebs_index & INDEX_FULL, event)
  ) {
      ...
  }

// in store
@@
@@
  if (
- place + size > limit
+ place + size > limit && !fault(cpu, FAULT_APEBS_OVERRUN)
  ) {
      cpu->arch_pebs_index |= INDEX_FULL;
      return false;
  }

// in store
@@
@@
  if (
- cpu->variation.arch_pebs_full_early && place + size > limit
+ cpu->variation.arch_pebs_full_early && place + size > limit &&
+         !fault_is_on(cpu, FAULT_APEBS_OVERRUN)
  ) { ... }

// in store*2
@@
@@
- cpu->arch_pebs_index |= INDEX_FULL;
+ cpu->arch_pebs_index |= fault_is_on(cpu, FAULT_APEBS_FULL_UNSET) ? 0 : INDEX_FULL;

// in store
@@
expression address;
@@
- host->write_physical(host->opaque, address, record, size)
+ fault_apebs_write(cpu, host, address, record, size)

// in store
@@
@@
- place += size;
+ place = place + fault_apebs_advance(cpu, size);

// in reload
@@
expression value;
@@
- *counter_value(cpu, number) = value;
+ if (!fault(cpu, FAULT_APEBS_RELOAD_IGNORED)) {
+     *counter_value(cpu, number) = value;
+ }

// in reaches_threshold
@@
@@
- (cpu->arch_pebs_index & INDEX_WR) >= threshold
+ fault_apebs_reaches(cpu, cpu->arch_pebs_index & INDEX_WR, threshold)

// in arch_pebs_assist
@@
@@
- cpu->global_status |= STATUS_ARCH_PEBS;
- return true;
+ cpu->global_status = cpu->global_status | fault_apebs_status(cpu);
+ return (!fault(cpu, FAULT_APEBS_PMI_LOST));
