// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in what each event does to the whole, and the calls at its seams.

// in ds_reset
@@
@@
+ fault_reset(cpu, &fresh);
  *cpu = fresh;

// INIT and machine check.

// in ds_init
@@
@@
  cpu->ds_area = 0;
+ fault_share_area(cpu);

// in ds_init
@@
@@
- cpu->debugctl = 0;
+ cpu->debugctl = fault(cpu, FAULT_INIT_KEEPS_BTS) ? cpu->debugctl : 0;

// in ds_init
@@
@@
  cpu->debugctl = fault(cpu, FAULT_INIT_KEEPS_BTS) ? cpu->debugctl : 0;
- disable_pebs(cpu);
+ if (!fault(cpu, FAULT_INIT_KEEPS_PEBS)) {
+     disable_pebs(cpu);
+ }

// in ds_machine_check
@@
expression kept;
@@
+ if (fault(cpu, FAULT_MACHINE_CHECK_IGNORED)) {
+     return;
+ }
  cpu->debugctl &= cpu->variation.machine_check_all ? 0 : kept;

// SMM.

// in ds_smm_enter
@@
expression frozen;
@@
- cpu->smm_froze = debugctl_is_set(cpu, frozen);
+ cpu->smm_froze = (debugctl_is_set(cpu, frozen) && !fault(cpu, FAULT_SMM_FREEZE_IGNORED));

// in ds_smm_enter
@@
typedef uint64_t;
@@
  cpu->in_smm = true;
+ if (fault(cpu, FAULT_SMM_CLEARS_FREEZE)) {
+     cpu->debugctl &= ~(uint64_t)DEBUGCTL_FREEZE_PERFMON_ON_PMI;
+ }

// in ds_smm_leave
@@
@@
- cpu->debugctl = cpu->smm_debugctl;
+ cpu->debugctl = fault(cpu, FAULT_SMM_LOSES_LBR) ? cpu->debugctl : cpu->smm_debugctl;

// in ds_smm_leave
@@
expression enables_all;
@@
- cpu->global_control = enables_all ? counter_existing(&cpu->profile) : cpu->smm_global_control;
+ if (!fault(cpu, FAULT_SMM_LOSES_ENABLES)) {
+     cpu->global_control = enables_all ? counter_existing(&cpu->profile) : cpu->smm_global_control;
+ }

// in ds_smm_leave
@@
@@
+ cpu->fault_memory.junk_due = fault(cpu, FAULT_RSM_JUNK);
  cpu->smm_froze = false;
  cpu->in_smm = false;

// What the model wants to hear of.

// in ds_wants_instructions
@@
@@
- cpu->pmi_skidding
+ cpu->pmi_skidding || fault_pmi_comes_again(cpu)

// in ds_wants_instructions
@@
@@
- errata_want_instructions(cpu)
+ (errata_want_instructions(cpu) || fault_wants_instructions(cpu))

// in ds_wants_branches
@@
@@
- arch_lbr_is_on(cpu)
+ arch_lbr_is_on(cpu) || fault_pops_frozen(cpu)

// A branch.

// in ds_branch
@@
expression mispredicted;
@@
+ fault_branch_in(cpu, host, &record);
  ler_branch(cpu, host, &record, mispredicted);

// in ds_branch
@@
@@
+ cleared &= ~(fault(cpu, FAULT_DEBUG_KEEPS_LBR) ? DEBUGCTL_LBR : 0ull);
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
+ cleared &= ~(branch->breakpoint && fault(cpu, FAULT_DB_BREAKPOINT_KEEPS_LBR) ? DEBUGCTL_LBR
+     : 0ull);
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
+ cleared &= ~(fault(cpu, FAULT_BTF_KEPT) ? DEBUGCTL_BTF : 0ull);
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
+ cleared |= fault(cpu, FAULT_DEBUG_CLEARS_TR) ? DEBUGCTL_TR : 0;
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
+ cleared |= branch->breakpoint && fault(cpu, FAULT_DB_BREAKPOINT_CLEARS_TR) ? DEBUGCTL_TR : 0;
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
- arch_lbr_after_debug(cpu);
+ if (!branch->breakpoint || !fault(cpu, FAULT_DB_BREAKPOINT_KEEPS_LBREN)) {
+     arch_lbr_after_debug(cpu);
+ }

// in ds_branch
@@
@@
+ if (fault(cpu, FAULT_DEBUG_IN_LBR)) {
+     fault_push(cpu, host, &record);
+ }
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
+ if (branch->breakpoint && fault(cpu, FAULT_DB_BREAKPOINT_IN_LBR)) {
+     fault_push(cpu, host, &record);
+ }
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
+ if (fault(cpu, FAULT_DEBUG_CLEARS_STACK)) {
+     fault_clear_stack(cpu);
+ }
  cpu->debugctl &= ~cleared;

// in ds_branch
@@
@@
+ struct ds_branch more;
+ if (fault_junk(cpu, &more)) {
+     bts_store(cpu, host, &more);
+ }
+ if (fault_vain_branch(cpu, host, branch, &more)) {
+     lbr_branch(cpu, host, &more, true);
+     arch_lbr_branch(cpu, host, &more, true);
+     pmi_after_branch(cpu, host, bts_branch(cpu, host, &more, false));
+ }
  lbr_branch(cpu, host, &record, !predicted);
  arch_lbr_branch(cpu, host, &record, !predicted);
  pmi_after_branch(cpu, host, bts_branch(cpu, host, &record, predicted));
+ fault_branch_out(cpu, branch);

// An instruction.

// in overflow_status
@@
expression more;
@@
+ if (fault(cpu, FAULT_OVERFLOW_STATUS_LOST)) {
+     return 0;
+ }
  return wrapped | more;

// in overflow_status
@@
expression more;
@@
+ wrapped = fault(cpu, FAULT_OVERFLOW_STATUS_ONE) ? wrapped & -wrapped : wrapped;
  return wrapped | more;

// in ds_instruction
@@
@@
+ fault_microcoded(cpu, host, instruction, &cycle);
  errata_cycle(cpu, host, instruction, &cycle);

// in ds_instruction
@@
expression armed;
@@
- assists = cpu->in_smm ? 0 : armed;
+ assists = (cpu->in_smm && !fault_is_on(cpu, FAULT_PEBS_IN_SMM)) ? 0 : armed;

// in ds_instruction
@@
expression ready;
@@
+ if (arming && !cpu->in_smm && pebs_exists(&cpu->profile) && fault(cpu, FAULT_PEBS_EARLY)) {
+     assists |= arming;
+ } else {
+     assists = fault_late_assists(cpu, assists);
+ }
  assists = errata_pebs_ready(cpu, host, instruction, ready);

// in ds_instruction
@@
@@
  pebs_arm(cpu, arming);
+ if (arming && fault(cpu, FAULT_LBR_FROZEN_EARLY)) {
+     fault_freeze_stack(cpu);
+ }

// in ds_instruction
@@
@@
- pmi_after_overflow(cpu, host);
- errata_after_overflow(cpu, signalling);
+ if (due || !fault(cpu, FAULT_OVERFLOW_PMI_LOST)) {
+     pmi_after_overflow(cpu, host);
+     errata_after_overflow(cpu, signalling);
+ }

// in ds_instruction
@@
expression cause;
@@
+ if (fault_freezes(cpu, host, instruction->cpl, wrapped & ~arming, due ? assists : 0)) {
+     freeze_on_pmi(cpu);
+ }
  if (cause) {
-     freeze_on_pmi(cpu);
      ...
  }

// in overflow_status
@@
@@
  wrapped = errata_overflow_status(cpu, wrapped);
+ wrapped = fault_overflow_told(cpu, wrapped);

// in ds_init
@@
@@
  arch_lbr_after_init(cpu);
+ if (cpu->lbr_top && fault(cpu, FAULT_INIT_CLEARS_TOP)) {
+     cpu->lbr_top = 0;
+ }
+ if (cpu->general_select[0] && cpu->profile.perfmon_version > 1 &&
+     fault(cpu, FAULT_INIT_CLEARS_SELECTS)) {
+     memset(cpu->general_select, 0, sizeof(cpu->general_select));
+ }
