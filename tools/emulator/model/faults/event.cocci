// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of what counters count.

// in event_of
@@
expression by_number;
@@
  if (number >= COUNTER_FIXED) {
-     return by_number;
+     return fault_dead(cpu, number) ? EVENT_NONE : by_number;
  }

// in event_of
@@
expression dead;
@@
- return dead ? EVENT_NONE : event;
+ return dead || fault_dead(cpu, number) ? EVENT_NONE : event;
