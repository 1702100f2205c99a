// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the counters' registers.

// in counter_msr_read
@@
@@
- *value = cpu->global_status;
+ *value = cpu->global_status & (fault_is_on(cpu, FAULT_LBR_FRZ_HIDDEN) ? ~STATUS_LBR_FRZ : ~0ull);

// in counter_msr_read
@@
expression shown;
@@
- *value = cpu->global_status & shown;
+ *value = cpu->global_status & shown & (fault_is_on(cpu, FAULT_CTR_FRZ_HIDDEN)
+     ? ~STATUS_CTR_FRZ : ~0ull);

// in writable_bits
@@
@@
- ~STATUS_CONDCHGD
+ (fault_is_on(cpu, FAULT_SET_CONDCHGD) ? ~0ull : ~STATUS_CONDCHGD)

// in clear_status
@@
@@
- cpu->global_status &= ~value;
+ fault_clear_status(cpu, value);

// in counter_msr_read
@@
@@
- *value = counter_msr_general(cpu, place.number);
+ *value = counter_msr_general(cpu, place.block && fault(cpu, FAULT_BLOCK_NEIGHBOUR)
+     ? place.number ^ 1 : place.number);

// in counter_msr_read
@@
@@
- *value = cpu->fixed[place.number - COUNTER_FIXED];
+ *value = cpu->fixed[place.block && fault(cpu, FAULT_BLOCK_FIXED_NEIGHBOUR)
+     ? (place.number - COUNTER_FIXED + 1) % 3 : place.number - COUNTER_FIXED];

// in counter_msr_write
@@
expression kept;
@@
- store(cpu, place, kept);
+ bool lost = place.block &&
+     ((place.kind == FULL_WIDTH && fault(cpu, FAULT_BLOCK_VALUE_LOST)) ||
+      (place.kind == SELECT && fault(cpu, FAULT_BLOCK_SELECT_LOST)) ||
+      (place.kind == FIXED && fault(cpu, FAULT_BLOCK_FIXED_LOST)) ||
+      ((place.kind == FULL_WIDTH || place.kind == SELECT) && fault(cpu, FAULT_BLOCK_LOST_ON_ONE)));
+ if (!lost) {
+     store(cpu, place, kept);
+ }

// in store
@@
@@
- cpu->general_select[place.number] = value;
+ cpu->general_select[place.number] = value &
+     (place.block && fault(cpu, FAULT_BLOCK_DROPS_UNIT_MASK_2) ? ~PERFEVTSEL_UMASK_2 : ~0ull);

// in store
@@
expression narrow;
@@
- value = narrow;
+ value = !place.block && fault(cpu, FAULT_FULL_WIDTH_NARROW) ? counter_extended(value) : (narrow);

// in store
@@
@@
  cpu->reload_causes[counter_place(place.number)] = value;
+ fault_causes_written(cpu, place.number);
