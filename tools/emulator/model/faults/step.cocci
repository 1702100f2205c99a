// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of single step on branches.

// in ds_step_trap
@@
@@
- is_branch_for_btf(cpu, branch)
+ (is_branch_for_btf(cpu, branch) || (!branch && fault_btf_traps(cpu, host, ip)))

// in ds_step_trap
@@
expression traps;
@@
- return !debugctl_is_set(cpu, DEBUGCTL_BTF) || traps;
+ return !debugctl_is_set(cpu, DEBUGCTL_BTF) || fault_late_trap(cpu, traps);
