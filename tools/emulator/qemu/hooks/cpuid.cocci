// SPDX-License-Identifier: GPL-2.0-or-later
// CPUID leaves of the model (0AH is left empty by the emulator without host support, F12.10), a
// hypervisor's, and what the board adds.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@leaf@
expression env, leaf, subleaf, eax, ebx, ecx, edx;
@@
 cpu_x86_cpuid(env, leaf, subleaf, &eax, &ebx, &ecx, &edx);
+debug_store_cpuid(env, leaf, subleaf, &eax, &ebx, &ecx, &edx);
+debug_store_xsaves_cpuid(env, leaf, subleaf, &eax, &ebx, &ecx, &edx);
+debug_store_hypervisor_cpuid(env, leaf, &eax, &ebx, &ecx, &edx);
+debug_store_board_cpuid(env, leaf, &eax);
