// SPDX-License-Identifier: GPL-2.0-or-later
// The translator's own part of the glue needs the translator's types and static functions.

@declarations@
@@
 #include "decode-new.h"
+#include "../debug_store/translate.h"

@definitions@
@@
 #include "decode-new.c.inc"
+#include "../debug_store/translate.c.inc"
