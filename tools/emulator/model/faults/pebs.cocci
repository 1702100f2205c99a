// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of PEBS.

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
