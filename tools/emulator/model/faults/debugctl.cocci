// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_DEBUGCTL.

// in debugctl_write
@@
@@
+ uint64_t old = cpu->debugctl;
  cpu->debugctl = value & accepted;
+ fault_debugctl_written(cpu, old);
