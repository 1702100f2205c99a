// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the architectural stack.

// in arch_lbr_is_on
@@
expression others;
@@
- bool fed = cpu->lbr_control & LBR_CTL_LBREN || others;
+ bool fed = cpu->lbr_control & LBR_CTL_LBREN || others ||
+     fault_is_on(cpu, FAULT_ARCH_LBR_EN_IGNORED);

// in arch_lbr_is_on
@@
expression status;
@@
- bool frozen = status;
+ bool frozen = ((status) && !fault_is_on(cpu, FAULT_LBR_FRZ_IDLE)) || cpu->fault_memory.lbr_stuck;

// in filters
@@
expression all;
@@
- return cpu->lbr_control | all;
+ return fault_lbr_filters(cpu, cpu->lbr_control | all);

// in includes_ring
@@
@@
- cpl == 0
+ (cpl == 0 || (cpl < 3 && fault_is_on(cpu, FAULT_ARCH_LBR_OUTER_RINGS_AS_OS)))

// in includes_ring
@@
@@
- return filters(cpu) & ring;
+ return filters(cpu) & ring || (cpu->lbr_control & LBR_CTL_CALL_STACK &&
+     fault_is_on(cpu, FAULT_CALL_STACK_RINGS_IGNORED));

// in arch_lbr_describe*2
@@
expression from, base;
@@
- address(cpu, from, base)
+ address(cpu, from - fault_lbr_base(cpu, branch, base), base)

// in arch_lbr_mask
@@
@@
- entry->from = ~0ull;
+ entry->from = fault(cpu, FAULT_ARCH_LBR_MASK_NARROW) ? entry->from | UINT32_MAX : ~0ull;

// in push
@@
expression depth;
@@
- unsigned entries = depth;
+ unsigned entries = fault(cpu, FAULT_ARCH_LBR_NOT_SHIFTED) ? 0
+     : depth - fault_is_on(cpu, FAULT_LBR_WRAPS_EARLY);

// in push
@@
@@
+ fault_lbr_entry(cpu, &entry);
  put_entry(cpu, 0, entry);
+ fault_lbr_pushed(cpu);

// in arch_lbr_branch
@@
@@
- arch_lbr_includes(cpu, branch)
+ (fault_lbr_lets_in(cpu, host, branch) && !fault_lbr_loses(cpu, branch))

// in arch_lbr_branch
@@
@@
- branch->kind == DS_BRANCH_RET
+ (branch->kind == DS_BRANCH_RET && !fault(cpu, FAULT_CALL_STACK_RECORDS_RET))

// in arch_lbr_branch
@@
@@
- pop(cpu);
+ if (!fault(cpu, FAULT_CALL_STACK_STANDS)) {
+     pop(cpu);
+ }
+ if (fault(cpu, FAULT_CALL_STACK_POPS_TWO)) {
+     pop(cpu);
+ }

// in arch_lbr_branch
@@
@@
- is_left_out(cpu, branch)
+ (is_left_out(cpu, branch) || (call_stack && branch->kind == DS_BRANCH_CALL_INDIRECT &&
+     fault(cpu, FAULT_CALL_STACK_LOSES_INDIRECT)))

// in arch_lbr_branch
@@
@@
  push(cpu, entry);
+ if (debugctl_is_set(cpu, DEBUGCTL_TR) && fault(cpu, FAULT_ARCH_LBR_TWICE_WITH_TR)) {
+     push(cpu, entry);
+ }

// in arch_lbr_after_debug
@@
@@
+ cleared |= fault(cpu, FAULT_DEBUG_CLEARS_LBR_CTL) ? ~0ull : 0;
  cpu->lbr_control &= ~cleared;

// in arch_lbr_after_debug
@@
@@
+ cleared &= fault(cpu, FAULT_DEBUG_KEEPS_LBREN) ? 0 : ~0ull;
  cpu->lbr_control &= ~cleared;

// in arch_lbr_smm_enter
@@
expression asked;
@@
- bool stops = asked;
+ bool stops = ((asked) && !fault(cpu, FAULT_SMM_KEEPS_LBREN));

// in arch_lbr_smm_leave
@@
@@
- if (cpu->smm_lbr_on) {
+ if ((cpu->smm_lbr_on && !fault(cpu, FAULT_SMM_LOSES_LBREN)) || fault(cpu, FAULT_SMM_SETS_LBREN)) {
      ...
  }

// in arch_lbr_branch
@@
expression mode;
@@
  bool call_stack = mode;
+ if (fault_pops_frozen(cpu) && branch->kind == DS_BRANCH_RET && arch_lbr_includes(cpu, branch)) {
+     pop(cpu);
+     return;
+ }
  ...
