// SPDX-License-Identifier: GPL-2.0-or-later
// RDMSR and WRMSR: the glue is asked first, for the model and for the board; what is neither's goes on
// to the emulator's switch.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@read@
expression env;
@@
 cpu_svm_check_intercept_param(env, SVM_EXIT_MSR, 0, GETPC());
+if (debug_store_rdmsr(env, GETPC())) {
+    return;
+}
+if (debug_store_board_rdmsr(env, GETPC())) {
+    return;
+}

@write@
expression env, value;
identifier val;
@@
 cpu_svm_check_intercept_param(env, SVM_EXIT_MSR, 1, GETPC());
 val = value;
+if (debug_store_wrmsr(env, val, GETPC())) {
+    return;
+}
+if (debug_store_board_wrmsr(env, val, GETPC())) {
+    return;
+}
