// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_LBR_x_INFO.

// in arch_lbr_info
@@
@@
- branch_type(cpu, branch->kind)
+ fault_branch_type(cpu, branch->kind, branch_type(cpu, branch->kind))
