// SPDX-License-Identifier: GPL-2.0-or-later
// Interrupts, exceptions and INT n: every caller of the one function that delivers them (F12.26,
// F12.27). A delivery that faults never returns, and so is not reported.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@delivery@
expression cpu, vector, software, code, next, hardware;
@@
+debug_store_event_begins(cpu, vector, software, hardware);
 do_interrupt_all(cpu, vector, software, code, next, hardware);
+debug_store_event_ends(cpu);
