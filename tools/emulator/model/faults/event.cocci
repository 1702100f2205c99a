// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of what counters count.

// in event_of
@@
@@
- return missing ? EVENT_NONE : event;
+ return missing || fault_is_on(cpu, FAULT_COUNTER_DEAD) ? EVENT_NONE : event;

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
