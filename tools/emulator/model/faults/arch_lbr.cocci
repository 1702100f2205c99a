// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the architectural stack.

// in filters
@@
expression all;
@@
- return cpu->lbr_control | all;
+ return fault_lbr_filters(cpu, cpu->lbr_control | all);

// in arch_lbr_describe*2
@@
expression from, base;
@@
- address(cpu, from, base)
+ address(cpu, from - fault_lbr_base(cpu, branch, base), base)

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
expression mode;
@@
  bool call_stack = mode;
+ if (fault_pops_frozen(cpu) && branch->kind == DS_BRANCH_RET && arch_lbr_includes(cpu, branch)) {
+     pop(cpu);
+     return;
+ }
  ...
