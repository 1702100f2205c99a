// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of architectural PEBS.

// in arch_pebs_reset_value
@@
expression config;
@@
- uint64_t value = config;
+ uint64_t value = fault_apebs_reload(cpu, number, config);
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
expression address;
@@
- host->write_physical(host->opaque, address, record, size)
+ fault_apebs_write(cpu, host, address, record, size)

// in store
@@
@@
- place += size;
+ place = place + fault_apebs_advance(cpu, size);

// in reaches_threshold
@@
@@
- (cpu->arch_pebs_index & INDEX_WR) >= threshold
+ fault_apebs_reaches(cpu, cpu->arch_pebs_index & INDEX_WR, threshold)

// in arch_pebs_assist
@@
@@
- cpu->global_status |= STATUS_ARCH_PEBS;
+ cpu->global_status = cpu->global_status | fault_apebs_status(cpu);
