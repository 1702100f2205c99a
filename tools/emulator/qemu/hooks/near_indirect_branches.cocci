// SPDX-License-Identifier: GPL-2.0-or-later
// Near branches whose target is in T0: RET by the stack adjustment before it, CALL by the push
// before it, and what is left over is a jump.

@call_site@
identifier s;
position p;
@@
 gen_push_v(s, eip_next_tl(s));
 gen_op_jmp_v@p(s, s->T0);
 gen_bnd_jmp(s);

@ret_site@
identifier s;
expression size;
position p;
@@
(
 gen_stack_update(s, size);
|
 gen_pop_update(s, size);
)
 gen_op_jmp_v@p(s, s->T0);
 gen_bnd_jmp(s);

@jump@
identifier s;
position p != {call_site.p, ret_site.p};
@@
+debug_store_gen_indirect(s, DS_BRANCH_JMP_INDIRECT);
 gen_op_jmp_v@p(s, s->T0);
 gen_bnd_jmp(s);

@call@
identifier s;
@@
 gen_push_v(s, eip_next_tl(s));
+debug_store_gen_indirect(s, DS_BRANCH_CALL_INDIRECT);
 gen_op_jmp_v(s, s->T0);
 gen_bnd_jmp(s);

@ret@
identifier s;
expression size;
@@
(
 gen_stack_update(s, size);
|
 gen_pop_update(s, size);
)
+debug_store_gen_indirect(s, DS_BRANCH_RET);
 gen_op_jmp_v(s, s->T0);
 gen_bnd_jmp(s);
