// SPDX-License-Identifier: GPL-2.0-or-later
// INT1 is a trap of its own instruction, which the helper no longer knows.

@int1@
symbol s;
@@
+debug_store_gen_int1(s);
 gen_helper_icebp(tcg_env);
