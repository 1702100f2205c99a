// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of PERF_METRICS.

// in slots_refresh
@@
@@
- cpu->global_control & SLOTS_METRICS
+ (cpu->global_control & SLOTS_METRICS || fault_is_on(cpu, FAULT_METRICS_ENABLE_IGNORED))

// in slots_metrics
@@
@@
  if (
- all == 0
+ all == 0 || fault_is_on(cpu, FAULT_METRICS_STUCK)
  ) {
      ...
  }

// in slots_metrics
@@
expression rest;
@@
- uint64_t frontend = rest;
+ uint64_t frontend = fault_is_on(cpu, FAULT_METRICS_INCOMPLETE) ? 0 : rest;

// in slots_write_metrics
@@
@@
+ if (fault(cpu, FAULT_METRICS_KEPT)) {
+     return;
+ }
  cpu->metrics_written = value;
