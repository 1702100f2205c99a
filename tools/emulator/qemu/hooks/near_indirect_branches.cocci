// SPDX-License-Identifier: GPL-2.0-or-later
// Near branches whose target is in T0: JMP, CALL (after its push) and RET (after its pop).

@target@
symbol s, decode;
@@
+debug_store_gen_indirect(s, decode);
 gen_op_jmp_v(s, s->T0);
 gen_bnd_jmp(s);
