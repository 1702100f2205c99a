// SPDX-License-Identifier: GPL-2.0-or-later
// Relative near branches: where an instruction really branches. The jump generator itself also
// serves what is no branch (string loops, block ends), F12.21. Calls come through the generator of
// plain jumps, which knows what is being decoded.

@jump@
symbol s, decode;
@@
+debug_store_gen_relative(s, decode);
 gen_jmp_rel(s, s->dflag, decode->immediate, 0);

@not_taken@
identifier s, label;
@@
+debug_store_gen_is_branch(s);
 gen_jmp_rel_csize(s, 0, 1);
 gen_set_label(label);

@taken@
identifier s, label, displacement;
@@
 gen_set_label(label);
+debug_store_gen_conditional(s, displacement);
 gen_jmp_rel(s, s->dflag, displacement, 0);
