// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the save area.

// in area_read_reset
@@
expression start;
@@
- uint64_t offset = start;
+ uint64_t offset = fault_reset_offset(cpu, counter, fixed, start);
  ...

// in area_read_buffer
@@
expression value;
@@
  buffer->threshold = value;
+ fault_recall_buffer(cpu, section, buffer);

// in area_read_reset
@@
expression read;
@@
  *value = read;
+ fault_recall_reset(cpu, counter, fixed, value);

// in field_address area_read_reset
@@
@@
- cpu->ds_area
+ fault_used_area(cpu)

// in field_address area_read_reset area_read_buffer*4
@@
expression address;
@@
- linear_address(cpu, address)
+ linear_address(cpu, fault_area_linear(cpu, address))
