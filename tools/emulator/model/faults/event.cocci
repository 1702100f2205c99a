// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of what counters count.

// in event_of
@@
@@
- return missing ? EVENT_NONE : event;
+ return missing || fault_is_on(cpu, FAULT_COUNTER_DEAD) ? EVENT_NONE : event;
