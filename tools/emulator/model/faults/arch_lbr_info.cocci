// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_LBR_x_INFO.

// in cycles
@@
expression timed;
@@
- bool valid = timed;
+ bool valid = ((timed) && !fault(cpu, FAULT_LBR_CYCLES_INVALID));

// in cycles
@@
@@
- count = count < CYC_CNT_MOST ? count : CYC_CNT_MOST;
+ count = fault(cpu, FAULT_LBR_CYCLES_WRAP) ? count & CYC_CNT_MOST
+     : count < CYC_CNT_MOST ? count : CYC_CNT_MOST;

// in cycles
@@
expression most;
@@
  count = most;
+ count = fault(cpu, FAULT_LBR_CYCLES_ZERO) ? 0 : count;

// in events
@@
@@
- return counts;
+ return fault(cpu, FAULT_LBR_EVENTS_LOST) ? 0
+     : fault(cpu, FAULT_LBR_EVENTS_NEIGHBOUR) ? (counts << 2 & ~0x300ull << EVENTS_SHIFT) | counts >> 6
+     : counts;

// in arch_lbr_info
@@
@@
- branch_type(cpu, branch->kind)
+ fault_branch_type(cpu, branch->kind, branch_type(cpu, branch->kind))

// in arch_lbr_info
@@
expression told;
@@
- uint64_t flag = told && mispredicted ? MISPRED : 0;
+ uint64_t flag = (told && mispredicted != fault(cpu, FAULT_LBR_MISPRED_INVERTED) &&
+     !fault(cpu, FAULT_LBR_MISPRED_LOST)) ? MISPRED : 0;

// in arch_lbr_info_recorded
@@
expression now;
@@
- cpu->lbr_tsc = now;
+ if (!cpu->lbr_timed || !fault(cpu, FAULT_LBR_CYCLES_OF_ALL)) {
+     cpu->lbr_tsc = now;
+ }

// in arch_lbr_info_events
@@
expression first, second;
@@
+ if (logs && cpu->lbr_events[i] == EVENTS_MOST && fault(cpu, FAULT_LBR_EVENTS_WRAP)) {
+     cpu->lbr_events[i] = 0;
+     continue;
+ }
  if (first && second) {
      ...
  }

// in arch_lbr_info_recorded
@@
@@
  cpu->lbr_timed = true;
+ if (fault(cpu, FAULT_LBR_EVENTS_KEPT)) {
+     return;
+ }
