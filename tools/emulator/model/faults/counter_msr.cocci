// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the counters' registers.

// in clear_status
@@
@@
- cpu->global_status &= ~value;
+ fault_clear_status(cpu, value);

// in store
@@
@@
  cpu->reload_causes[counter_place(place.number)] = value;
+ fault_causes_written(cpu, place.number);
