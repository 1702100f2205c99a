// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_DS_AREA, and the call at the seam of all registers.

// in write_ds_area
@@
@@
- linear_is_canonical(&cpu->profile, value)
+ (linear_is_canonical(&cpu->profile, value) || fault(cpu, FAULT_DS_AREA_UNCHECKED))

// in own_read write_ds_area
@@
@@
- cpu->profile.ds
+ (cpu->profile.ds && !fault_is_on(cpu, FAULT_DS_AREA_MISSING))

// in own_read
@@
@@
- *value = cpu->ds_area;
+ *value = fault_area_address(cpu);

// in write_ds_area
@@
@@
- cpu->ds_area = value;
+ if (!fault(cpu, FAULT_DS_AREA_DROPPED)) {
+     cpu->ds_area = value;
+ }

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
