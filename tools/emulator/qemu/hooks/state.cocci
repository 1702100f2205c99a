// SPDX-License-Identifier: GPL-2.0-or-later
// The processor object keeps one pointer to the glue's state.

@state@
identifier env;
typedef CPUX86State;
@@
 struct ArchCPU {
 ...
 CPUX86State env;
+struct DebugStore *debug_store;
 ...
 };
