// SPDX-License-Identifier: GPL-2.0-or-later
// INIT is a reset that keeps some state (F12.44): the glue must know before the reset comes.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@init@
identifier cs;
symbol cpu;
@@
+debug_store_init_begins(cpu);
 cpu_reset(cs);
