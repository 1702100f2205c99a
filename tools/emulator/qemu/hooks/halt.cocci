// SPDX-License-Identifier: GPL-2.0-or-later
// HLT, and MWAIT where it halts, pass through one function (F12.46). Under TF the emulator traps when
// the processor wakes; BTF holds that back.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@halts@
identifier cs;
@@
+debug_store_halts(cpu_env(cs));
 cs->halted = 1;
 cs->exception_index = EXCP_HLT;
