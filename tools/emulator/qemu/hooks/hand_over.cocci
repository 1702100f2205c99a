// SPDX-License-Identifier: GPL-2.0-or-later
// Where CR0.PG switches long mode on: how one sees that the firmware has handed the machine over.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@entry@
identifier env;
@@
 env->efer |= MSR_EFER_LMA;
 env->hflags |= HF_LMA_MASK;
+debug_store_long_mode_begins(env);
