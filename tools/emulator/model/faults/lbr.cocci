// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the LBR stack.

// in lbr_is_on
@@
@@
- cpu->variation.tr_updates_lbr
+ (cpu->variation.tr_updates_lbr || fault_tr_feeds(cpu))

// in lbr_is_on
@@
expression status;
@@
- bool frozen = status;
+ bool frozen = ((status) && !fault_is_on(cpu, FAULT_LBR_FRZ_IDLE));

// in move_top
@@
expression depth;
@@
- unsigned entries = depth;
+ unsigned entries = depth - fault_is_on(cpu, FAULT_LBR_WRAPS_EARLY);

// in move_top
@@
@@
- cpu->lbr_top = (cpu->lbr_top + 1) % entries;
+ if (!fault(cpu, FAULT_LBR_TOP_STUCK)) {
+     cpu->lbr_top = (cpu->lbr_top + 1) % entries;
+ }

// in lbr_push
@@
@@
- linear_address(cpu, branch->from)
+ linear_address(cpu, fault_record_from(cpu, branch->from))

// in lbr_push
@@
expression e1, e2;
@@
- lbr_format_entry(cpu, from, to, e1, e2)
+ (fault(cpu, FAULT_LBR_FROM_TO_EXCHANGED) ? lbr_format_entry(cpu, to, from, e1, e2)
+     : lbr_format_entry(cpu, from, to, e1, e2))

// in lbr_branch
@@
@@
- lbr_is_suppressed(cpu, branch)
+ (lbr_is_suppressed(cpu, branch) || fault(cpu, FAULT_LBR_ENTRY_LOST))

// in lbr_branch
@@
@@
- lbr_is_suppressed(cpu, branch)
+ (lbr_is_suppressed(cpu, branch) || (branch->kind == DS_BRANCH_INTERRUPT &&
+     fault(cpu, FAULT_LBR_LOSES_INTERRUPTS)))

// in lbr_branch
@@
@@
- lbr_is_suppressed(cpu, branch)
+ (lbr_is_suppressed(cpu, branch) || (branch->kind == DS_BRANCH_EXCEPTION &&
+     fault(cpu, FAULT_LBR_LOSES_EXCEPTIONS)))

// in lbr_branch
@@
@@
- lbr_is_suppressed(cpu, branch)
+ (lbr_is_suppressed(cpu, branch) || (fault(cpu, FAULT_LBR_OFF_WITH_BTS) &&
+     lbr_with_tr(&cpu->profile) && debugctl_is_set(cpu, DEBUGCTL_TR | DEBUGCTL_BTS)))

// in lbr_branch
@@
@@
  lbr_push(cpu, host, branch, mispredicted);
+ if (fault(cpu, FAULT_LBR_TWICE_WITH_TR) && lbr_with_tr(&cpu->profile) &&
+     debugctl_is_set(cpu, DEBUGCTL_TR)) {
+     lbr_push(cpu, host, branch, mispredicted);
+ }
