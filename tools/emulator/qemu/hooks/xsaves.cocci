// SPDX-License-Identifier: GPL-2.0-or-later
// XRSTOR takes what XSAVEC has stored, too. (XSAVEC, XSAVES and XRSTORS, which QEMU does not know, are
// looked for where an opcode is about to raise #UD: a line of hooks.toml.)

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@compacted@
expression env, ptr, ra, header;
identifier size;
@@
 do_xsave_chk(env, ptr, ra);
+if (debug_store_xrstor(env, ptr, rfbm, ra)) {
+    return;
+}
 size = header;
