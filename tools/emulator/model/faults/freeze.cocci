// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of freeze on PMI: what is frozen, and how.

// in freeze_on_pmi
@@
@@
  uint64_t asked = cpu->debugctl & FREEZE_BOTH;
+ if (fault_freeze_waits(cpu)) {
+     return;
+ }
  ...

// in freeze_on_pmi
@@
@@
+ if (asked & FREEZE_LBRS) {
+     fault_top_at_freeze(cpu);
+ }
  if (legacy) {
      ...
  } else {
      ...
  }

// in clear_lbr
@@
expression others;
@@
+ fault_remember_lbr(cpu);
  cpu->debugctl &= others;

// in freeze_legacy
@@
@@
+ fault_remember_enables(cpu);
  cpu->global_control = 0;
