// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of PEBS.

// in pebs_counters
@@
expression by_family;
@@
- bool any_event = by_family;
+ bool any_event = by_family || fault_is_on(cpu, FAULT_PEBS_IMPRECISE);

// in pebs_counters
@@
expression samples;
@@
- bool taken = samples;
+ bool taken = samples || (number > 0 && fault_is_on(cpu, FAULT_PEBS_IMPRECISE_UPPER));

// in reload
@@
@@
+ if (fault(cpu, FAULT_PEBS_RELOAD_32_BITS)) {
+     value = fault_sign_extended(value);
+ }
  value = errata_pebs_reload(cpu, number, value);

// in store
@@
@@
- buffer->index >= buffer->maximum
+ (buffer->index >= buffer->maximum || fault(cpu, FAULT_PEBS_RECORD_LOST))

// in store
@@
@@
- buffer->index >= buffer->maximum
+ (buffer->index >= buffer->maximum || fault_loses_record(cpu, event->counters))

// in reload
@@
@@
  if (
- pebs_reset_value(cpu, host, number, &value)
+ pebs_reset_value(cpu, host, number, &value) && !fault_keeps_fixed(cpu, number)
  ) {
      ...
  }

// in store
@@
@@
- buffer->index += size;
+ buffer->index += size + (fault(cpu, FAULT_PEBS_TOO_LONG) ? area_field_size(cpu) : 0);

// in reaches_threshold
@@
@@
- buffer->index < buffer->threshold
+ (buffer->index < buffer->threshold || (buffer->index == buffer->threshold &&
+     fault(cpu, FAULT_PEBS_THRESHOLD_LATE)))

// in reaches_threshold
@@
@@
- cpu->global_status |= STATUS_OVFBUF;
+ if (!fault(cpu, FAULT_OVFBUF_MISSING)) {
+     cpu->global_status |= STATUS_OVFBUF;
+ }
  return true;

// in reaches_threshold
@@
@@
- fault(cpu, FAULT_OVFBUF_MISSING)
+ (fault(cpu, FAULT_OVFBUF_MISSING) || (!(cpu->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI) &&
+     fault(cpu, FAULT_OVFBUF_NEEDS_FREEZE)))

// in pebs_assist trace_assist
@@
@@
- reload(cpu, host, counters);
+ if (!fault(cpu, FAULT_PEBS_NO_RELOAD)) {
+     reload(cpu, host, counters);
+ }

// in pebs_assist
@@
@@
- reaches_threshold(cpu, &buffer)
+ (reaches_threshold(cpu, &buffer) && !fault(cpu, FAULT_PEBS_PMI_LOST))

// in pebs_assist
@@
@@
- reaches_threshold(cpu, &buffer)
+ (reaches_threshold(cpu, &buffer) && !(!(counters & 1) &&
+     fault(cpu, FAULT_PEBS_THRESHOLD_PMC0_ONLY)))

// in pebs_assist
@@
@@
- reaches_threshold(cpu, &buffer)
+ (reaches_threshold(cpu, &buffer) && !(counters >> COUNTER_FIXED &&
+     fault(cpu, FAULT_PEBS_FIXED_PMI_LOST)))

// in pebs_assist
@@
expression due;
@@
+ if (!stored && buffer.index >= buffer.maximum && fault(cpu, FAULT_PEBS_FULL_INTERRUPTS)) {
+     return true;
+ }
  return stored && due;

// in pebs_assist
@@
@@
- cpu->global_status &= ~counters;
+ cpu->global_status &= ~(fault(cpu, FAULT_PEBS_OVERFLOW_KEPT) ? 0 : counters);

// in pebs_assist
@@
@@
+ if (pebs_exists(&cpu->profile) && fault(cpu, FAULT_PEBS_IP_WRONG)) {
+     fault_exchange(&told.ip, &told.next);
+ }
  errata_pebs_event(cpu, &told, &event);

// in pebs_assist
@@
@@
+ if (fault(cpu, FAULT_APEBS_FIRST_ONLY)) {
+     event.counters &= -event.counters;
+ }
  return arch_pebs_assist(cpu, host, &event);
