// SPDX-License-Identifier: GPL-2.0-or-later
// System-management mode: before the first instruction of the handler, and when RSM has restored
// everything (F12.42).

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@entry@
identifier env;
@@
+debug_store_smm_entered(env);
 env->msr_smi_count++;

@exit@
identifier env;
@@
 env->hflags &= ~HF_SMM_MASK;
+debug_store_smm_left(env);
