// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of single step on branches.

// in ds_step_trap
@@
@@
- !debugctl_is_set(cpu, DEBUGCTL_BTF)
+ (!debugctl_is_set(cpu, DEBUGCTL_BTF) || fault(cpu, FAULT_BTF_IGNORED))

// in ds_step_trap
@@
@@
- is_branch_for_btf(cpu, branch)
+ (is_branch_for_btf(cpu, branch) || (!branch && fault_btf_traps(cpu, host, ip)))

// in ds_step_trap
@@
@@
- is_branch_for_btf(cpu, branch)
+ (is_branch_for_btf(cpu, branch) && !(branch->kind == DS_BRANCH_CONDITIONAL &&
+     fault(cpu, FAULT_BTF_MISSES_CONDITIONAL)))

// in ds_step_trap
@@
expression traps;
@@
- return (!debugctl_is_set(cpu, DEBUGCTL_BTF) || fault(cpu, FAULT_BTF_IGNORED)) || traps;
+ return (!debugctl_is_set(cpu, DEBUGCTL_BTF) || fault(cpu, FAULT_BTF_IGNORED)) ||
+     fault_late_trap(cpu, traps);

// in ds_step_trap
@@
expression traps;
@@
- fault_late_trap(cpu, traps)
+ (!fault(cpu, FAULT_BTF_DEAD) && fault_late_trap(cpu, traps))

// in ds_step_trap
@@
expression traps;
@@
- fault_late_trap(cpu, traps)
+ (!(debugctl_is_set(cpu, DEBUGCTL_TR) && fault(cpu, FAULT_BTF_DEAD_WITH_TR)) &&
+     fault_late_trap(cpu, traps))

// in ds_step_trap
@@
expression traps;
@@
- return (!debugctl_is_set(cpu, DEBUGCTL_BTF) || fault(cpu, FAULT_BTF_IGNORED)) || traps;
+ return ((!debugctl_is_set(cpu, DEBUGCTL_BTF) || fault(cpu, FAULT_BTF_IGNORED)) || traps) &&
+     (!fault(cpu, FAULT_TRAP_LOST));
