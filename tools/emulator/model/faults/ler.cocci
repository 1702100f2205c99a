// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the last exception record.

// in ler_branch
@@
@@
  cpu->ler_from = cpu->last_from;
  cpu->ler_to = cpu->last_to;
+ if (fault(cpu, FAULT_LER_FROM_TO_EXCHANGED)) {
+     fault_exchange(&cpu->ler_from, &cpu->ler_to);
+ }

// in ler_branch
@@
@@
  cpu->ler_from = cpu->last_from;
  cpu->ler_to = cpu->last_to;
+ if (fault(cpu, FAULT_LER_STALE)) {
+     cpu->ler_from = cpu->fault_memory.older_from;
+     cpu->ler_to = cpu->fault_memory.older_to;
+ }

// in ler_branch
@@
@@
  cpu->ler_from = cpu->last_from;
  cpu->ler_to = cpu->last_to;
+ if (fault(cpu, FAULT_LER_OWN_EVENT)) {
+     cpu->ler_from = linear_address(cpu, branch->from);
+     cpu->ler_to = linear_address(cpu, branch->to);
+ }

// in ler_branch
@@
@@
- cpu->ler_from = cpu->last_from;
- cpu->ler_to = cpu->last_to;
+ cpu->ler_from = fault_keep_upper_half(cpu, cpu->ler_from, cpu->last_from);
+ cpu->ler_to = fault_keep_upper_half(cpu, cpu->ler_to, cpu->last_to);

// in ler_branch
@@
@@
- cpu->ler_info = cpu->last_info;
+ cpu->ler_info = fault(cpu, FAULT_LER_INFO_STALE) ? cpu->ler_info
+     : fault(cpu, FAULT_LER_INFO_ZERO) ? 0 : cpu->last_info;

// in ler_wants_branches
@@
@@
- return cpu->variation.ler_without_lbr && lbr_depth(&cpu->profile) > 0;
+ return (cpu->variation.ler_without_lbr && lbr_depth(&cpu->profile) > 0) ||
+     (fault_is_on(cpu, FAULT_LER_WITHOUT_LBREN) && arch_lbr_exists(&cpu->profile));

// in is_mine
@@
@@
- (msr == IA32_LER_INFO && arch_lbr_exists(&cpu->profile))
+ (msr == IA32_LER_INFO && arch_lbr_exists(&cpu->profile) &&
+     !fault_is_on(cpu, FAULT_LER_INFO_MISSING))

// in ler_branch
@@
@@
- is_exception_record(cpu, branch)
+ (is_exception_record(cpu, branch) || (branch->kind == DS_BRANCH_FAR &&
+     fault(cpu, FAULT_LER_BY_FAR)))

// in ler_branch
@@
@@
- is_exception_record(cpu, branch)
+ (is_exception_record(cpu, branch) && !(branch->kind == DS_BRANCH_INTERRUPT &&
+     fault(cpu, FAULT_LER_NOT_BY_INTERRUPTS)))

// in ler_branch
@@
@@
- is_exception_record(cpu, branch)
+ (is_exception_record(cpu, branch) && !fault(cpu, FAULT_LER_DEAD))

// in remember
@@
expression from;
@@
+ fault_remember_older(cpu);
  cpu->last_from = from;

// in ler_branch
@@
@@
- is_exception_record(cpu, branch)
+ (is_exception_record(cpu, branch) && !(branch->nmi && fault(cpu, FAULT_LER_NOT_BY_NMI)))
