// SPDX-License-Identifier: GPL-2.0-or-later
// HLT, and MWAIT where it halts, pass through one function (F12.46).

@halt@
identifier env, cs;
typedef CPUX86State;
@@
 do_hlt(CPUX86State *env)
 {
 ...
+debug_store_halts(env);
 cs->halted = 1;
 ...
 }
