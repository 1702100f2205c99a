// SPDX-License-Identifier: GPL-2.0-or-later
// Far transfers: bracketed, because the helper that makes the transfer may fault instead, and only
// afterwards are target and privilege level known.

@by_helper@
identifier helper = {gen_helper_lcall_protected, gen_helper_lcall_real,
                     gen_helper_ljmp_protected, gen_helper_lret_protected,
                     gen_helper_iret_protected, gen_helper_iret_real,
                     gen_helper_sysenter, gen_helper_sysexit,
                     gen_helper_syscall, gen_helper_sysret};
expression list arguments;
symbol s;
@@
+debug_store_gen_far_begins(s);
 helper(arguments);
+debug_store_gen_far_ends(s);

@real_mode_jump@
symbol s;
@@
+debug_store_gen_far_begins(s);
 gen_op_movl_seg_real(s, R_CS, s->T1);
 gen_op_jmp_v(s, s->T0);
+debug_store_gen_far_ends(s);

@real_mode_return_begins@
symbol s;
expression size;
@@
+debug_store_gen_far_begins(s);
 gen_op_ld_v(s, size, s->T0, s->A0);
 gen_op_jmp_v(s, s->T0);

@real_mode_return_ends@
symbol s;
expression size;
@@
 gen_op_movl_seg_real(s, R_CS, s->T0);
 gen_stack_update(s, size);
+debug_store_gen_far_ends(s);
