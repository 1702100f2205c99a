// SPDX-License-Identifier: GPL-2.0-or-later
// Retired instructions: each reports at its start that the one before it has retired. While they are
// reported a block is one instruction, so the processor's state is whole at that point. (The call
// must not stand earlier: the translator takes its last operation for the instruction's mark.)

@start@
identifier context, cpu;
@@
+debug_store_gen_instruction(context);
 disas_insn(context, cpu);

@block@
identifier context;
expression temporary;
@@
 context->cc_srcT = temporary;
+debug_store_limit_block(context);
