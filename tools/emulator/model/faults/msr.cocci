// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_DS_AREA, and the call at the seam of all registers.

// in own_read
@@
@@
- *value = cpu->ds_area;
+ *value = fault_area_address(cpu);

// in ds_msr_write
@@
@@
  result = result == DS_MSR_NOT_MINE ? taken_msr_write(cpu, msr, value) : result;
+ fault_write_judged(cpu, host, msr, value, result);

// in ds_msr_write
@@
@@
  result = own_write(cpu, msr, value);
+ fault_msr_written(cpu, host, msr, result);
