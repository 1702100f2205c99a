// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the save area.

// in area_field_size
@@
expression wide;
@@
- return wide ? 8 : 4;
+ return (wide) && !fault_is_on(cpu, FAULT_AREA_NARROW) ? 8 : 4;

// in area_field_size
@@
expression wide;
@@
+ if (!cpu->long_mode_active && cpu->protected_mode &&
+     fault_is_on(cpu, FAULT_AREA_32_IN_PROTECTED_MODE)) {
+     return 4;
+ }
  return wide ? 8 : 4;

// in field_address
@@
expression number;
@@
  size_t place = number;
+ place += section == AREA_PEBS && fault_is_on(cpu, FAULT_AREA_PEBS_MISPLACED);
  ...

// in area_read_buffer
@@
expression value;
@@
  buffer->threshold = value;
+ if (fault_is_on(cpu, FAULT_AREA_FIELDS_EXCHANGED)) {
+     fault_exchange(&buffer->maximum, &buffer->threshold);
+ }

// in area_write_index
@@
@@
  area_put_field(bytes, size, index);
+ if (fault_is_on(cpu, FAULT_AREA_THRESHOLD_WRITTEN) &&
+     !host->write(host->opaque, field_address(cpu, section, INDEX_FIELD + 2), bytes, size)) {
+     return false;
+ }

// in area_read_reset
@@
expression start;
@@
  uint64_t offset = start;
+ offset += fault_is_on(cpu, FAULT_RESET_MISPLACED) ? RESET_SIZE : 0;
  ...

// in area_read_reset
@@
expression start;
@@
- uint64_t offset = start;
+ uint64_t offset = fault_reset_offset(cpu, counter, fixed, start);
  ...

// in first_reset
@@
expression earlier;
@@
- return earlier ? RESET_FIXED : RESET_FIXED_LATER;
+ return (earlier) != fault_is_on(cpu, FAULT_RESET_SLOTS_EXCHANGED) ? RESET_FIXED : RESET_FIXED_LATER;

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
