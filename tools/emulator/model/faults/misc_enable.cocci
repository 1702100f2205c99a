// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_MISC_ENABLE.

// in misc_enable_write
@@
expression changes, refused;
@@
+ if (fault(cpu, FAULT_UNAVAILABLE_WRITABLE)) {
+     cpu->misc_enable = value;
+     return true;
+ }
  if (changes & refused) {
      ...
  }
