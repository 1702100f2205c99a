// SPDX-License-Identifier: GPL-2.0-or-later
// The trap of TF: every single step passes through one function (F12.24). BTF may hold it back.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@step@
identifier env;
@@
+debug_store_single_step(env);
 check_hw_breakpoints(env, true);
