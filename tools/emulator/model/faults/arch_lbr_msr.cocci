// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the architectural stack's registers.

// in locate
@@
@@
- uint64_t depth = cpu->lbr_depth;
+ uint64_t depth = fault_readable_entries(cpu);

// in arch_lbr_write_depth
@@
@@
- arch_lbr_has_depth(&cpu->profile, value)
+ fault_takes_depth(cpu, value)

// in arch_lbr_write_depth
@@
@@
+ uint64_t old = cpu->lbr_depth;
  cpu->lbr_depth = value;
- arch_lbr_clear(cpu);
+ fault_depth_written(cpu, old);
