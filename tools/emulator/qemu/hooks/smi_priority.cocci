// SPDX-License-Identifier: GPL-2.0-or-later
// A machine check that waits beside an SMI comes first, as the manual's table of priorities has it; the
// emulator would deliver it in system-management mode, where it is the end. An SMI right behind STI waits for one
// instruction.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@priority@
symbol cpu;
@@
+if (debug_store_smi_waits(cpu)) {
+    break;
+}
 cpu_svm_check_intercept_param(env, SVM_EXIT_SMI, 0, 0);
