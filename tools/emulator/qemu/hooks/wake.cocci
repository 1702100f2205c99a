// SPDX-License-Identifier: GPL-2.0-or-later
// The end of HLT: under TF the emulator traps now. With BTF it must not (F9.1).

@wakes@
symbol env;
expression cpu;
@@
+if (debug_store_trap_held_back(cpu)) {
+    return true;
+}
 if (env->eflags & TF_MASK) {
 env->dr[6] |= DR6_BS;
 do_interrupt_all(cpu, EXCP01_DB, 0, 0, env->eip, 0);
 }
