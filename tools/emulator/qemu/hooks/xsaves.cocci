// SPDX-License-Identifier: GPL-2.0-or-later
// XSAVEC, XSAVES and XRSTORS, which the emulator does not know: where an opcode is about to raise #UD
// they are looked for.

@unknown@
identifier env, s;
@@
+if (debug_store_gen_xsaves(env, s, &decode)) {
+    return;
+}
 gen_unknown_opcode(env, s);
