// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the architectural stack's registers.

// in arch_lbr_msr_read arch_lbr_msr_write
@@
@@
- arch_lbr_exists(&cpu->profile)
+ (arch_lbr_exists(&cpu->profile) && !fault_is_on(cpu, FAULT_ARCH_LBR_MISSING))

// in arch_lbr_write_control
@@
expression bits;
@@
- uint64_t accepted = bits;
+ uint64_t accepted = bits | (fault(cpu, FAULT_LBR_CTL_UNCHECKED) ? ~0ull : 0);

// in arch_lbr_write_control
@@
@@
- cpu->lbr_control = value;
+ cpu->fault_memory.lbr_stuck = false;
+ if (!fault(cpu, FAULT_LBR_CTL_DROPPED)) {
+     cpu->lbr_control = value;
+ }

// in arch_lbr_write_depth
@@
@@
- arch_lbr_has_depth(&cpu->profile, value)
+ fault_takes_depth(cpu, value & (fault_is_on(cpu, FAULT_LBR_DEPTH_LOW_BITS) ? ~7ull : ~0ull))

// in arch_lbr_write_depth
@@
@@
+ uint64_t old = cpu->lbr_depth;
- cpu->lbr_depth = value;
- arch_lbr_clear(cpu);
+ cpu->lbr_depth = fault_is_on(cpu, FAULT_LBR_DEPTH_LOW_BITS) ? value & ~7ull : value;
+ fault_depth_written(cpu, old);

// in locate
@@
@@
- uint64_t depth = cpu->lbr_depth;
+ uint64_t depth = fault_readable_entries(cpu);

// in arch_lbr_msr_write
@@
expression done;
@@
+ cpu->fault_memory.lbr_unmodified &= (!fault_is_on(cpu, FAULT_XSAVES_LBR_STALE));
  accepted = done;
