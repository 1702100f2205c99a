// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in what each event does to the whole, and the calls at its seams.

// in ds_reset
@@
@@
+ fault_reset(cpu, &fresh);
  *cpu = fresh;

// in ds_init
@@
@@
  cpu->ds_area = 0;
+ fault_share_area(cpu);

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

// in ds_branch
@@
expression mispredicted;
@@
+ fault_branch_in(cpu, host, &record);
  ler_branch(cpu, host, &record, mispredicted);

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

// in ds_instruction
@@
@@
+ fault_microcoded(cpu, host, instruction, &cycle);
  errata_cycle(cpu, host, instruction, &cycle);

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

// in ds_instruction
@@
expression ready;
@@
+ assists = fault_late_assists(cpu, assists);
  assists = errata_pebs_ready(cpu, host, instruction, ready);
