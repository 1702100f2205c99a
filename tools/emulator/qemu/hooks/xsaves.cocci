// SPDX-License-Identifier: GPL-2.0-or-later
// XSAVEC, XSAVES and XRSTORS, which the emulator does not know: where an opcode is about to raise #UD
// they are looked for. XRSTOR takes what XSAVEC has stored, too.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@unknown@
identifier env, s;
@@
+if (debug_store_gen_xsaves(env, s, &decode)) {
+    return;
+}
 gen_unknown_opcode(env, s);

@compacted@
expression env, ptr, ra, header;
identifier size;
@@
 do_xsave_chk(env, ptr, ra);
+if (debug_store_xrstor(env, ptr, rfbm, ra)) {
+    return;
+}
 size = header;
