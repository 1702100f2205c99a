// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the LBR stack.

// in lbr_is_on
@@
@@
- cpu->variation.tr_updates_lbr
+ (cpu->variation.tr_updates_lbr || fault_tr_feeds(cpu))

// in lbr_push
@@
@@
- linear_address(cpu, branch->from)
+ linear_address(cpu, fault_record_from(cpu, branch->from))
