// SPDX-License-Identifier: GPL-2.0-or-later
// The processor object: its properties, which features it may have, set-up and reset.

@declarations@
@@
 #include "cpu.h"
+#include "target/i386/debug_store/glue.h"

@created@
identifier cpu;
@@
 x86_cpu_init_default_topo(cpu);
+debug_store_instance_init(cpu);

@features@
identifier cpu, w;
local idexpression unavailable;
expression prefix;
@@
+unavailable = debug_store_unavailable(cpu, w, unavailable);
 mark_unavailable_features(cpu, w, unavailable, prefix);

@realized@
identifier cpu;
symbol errp;
expression verbose;
statement refused;
@@
 if (x86_cpu_filter_features(cpu, verbose)) refused
+if (!debug_store_realize(cpu, errp)) {
+    return;
+}

@reset@
identifier env;
expression size;
@@
 memset(env, 0, size);
+debug_store_reset(env);
