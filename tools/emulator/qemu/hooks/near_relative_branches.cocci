// SPDX-License-Identifier: GPL-2.0-or-later
// Relative near branches: the call sites of the jump generator where an instruction really branches.
// The generator itself also serves what is no branch (string loops, block ends), F12.21.
// The sites of calls and conditional branches are found before anything is changed: what is left
// over is a plain jump.

@call_site@
identifier s, target;
expression size;
position p;
@@
 gen_push_v(s, eip_next_tl(s));
 gen_bnd_jmp(s);
 gen_jmp_rel@p(s, size, target, 0);

@conditional_site@
identifier s, target, label;
expression size;
position p;
@@
 gen_set_label(label);
 gen_jmp_rel@p(s, size, target, 0);

@jump@
identifier s, target;
expression size;
position p != {call_site.p, conditional_site.p};
@@
+debug_store_gen_relative(s, size, target, DS_BRANCH_JMP_RELATIVE);
 gen_jmp_rel@p(s, size, target, 0);

@call@
identifier s, target;
expression size;
@@
 gen_push_v(s, eip_next_tl(s));
 gen_bnd_jmp(s);
+debug_store_gen_relative(s, size, target, DS_BRANCH_CALL_RELATIVE);
 gen_jmp_rel(s, size, target, 0);

@conditional@
identifier s, target, label;
expression size;
@@
 gen_set_label(label);
+debug_store_gen_relative(s, size, target, DS_BRANCH_CONDITIONAL);
 gen_jmp_rel(s, size, target, 0);
