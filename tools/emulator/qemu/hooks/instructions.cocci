// SPDX-License-Identifier: GPL-2.0-or-later
// Retired instructions: each reports at its start that the one before it has retired. While they are
// reported a block is one instruction, so the processor's state is whole at that point.

@start@
identifier context, pc;
@@
 tcg_gen_insn_start(pc, context->cc_op);
+debug_store_gen_instruction(context);

@block@
identifier context;
expression temporary;
@@
 context->cc_srcT = temporary;
+debug_store_limit_block(context);

@conditional@
identifier s, b, label;
@@
+debug_store_gen_is_branch(s);
 gen_jcc1(s, b, label);
 gen_jmp_rel_csize(s, 0, 1);

@loop@
identifier s, b;
@@
 gen_update_cc_op(s);
+debug_store_gen_is_branch(s);
 b &= 3;
