// SPDX-License-Identifier: GPL-2.0-or-later
// The local APIC's performance entry: reserved bits and the forced mask (F5.10, F5.15); the APIC switched
// off and on again by IA32_APIC_BASE; processors that hear no INIT. Delivery needs the APIC's static
// functions, so that part of the glue is compiled with it.

@declarations@
@@
 #include "hw/i386/apic_internal.h"
+#include "target/i386/debug_store/apic.h"

@lvt_written@
identifier s, n;
expression val;
@@
 s->lvt[n] = val;
+debug_store_lvt_written(s, n);

@svr_written@
identifier s;
expression val;
@@
 s->spurious_vec = val & 0x1ff;
+debug_store_svr_written(s);

@base_changes@
symbol s, val;
statement refused;
@@
 if (apic_set_base_check(s, val) < 0) refused
+debug_store_base_changes(s, val);

@initialises@
symbol deliver_bitmask, delivery_mode;
expression list others;
@@
+debug_store_drop_deaf(deliver_bitmask, delivery_mode);
 apic_bus_deliver(deliver_bitmask, delivery_mode, others);

@starts@
identifier s;
expression vector;
@@
+if (debug_store_is_deaf(s->cpu)) {
+    return;
+}
 s->sipi_vector = vector;
