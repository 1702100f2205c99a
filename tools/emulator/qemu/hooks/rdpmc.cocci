// SPDX-License-Identifier: GPL-2.0-or-later
// RDPMC of a processor that has counters; without them the emulator's own way (F12.5).

@rdpmc@
symbol s;
@@
+if (debug_store_gen_rdpmc(s)) {
+    return;
+}
 gen_helper_rdpmc(tcg_env);
