// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of IA32_DEBUGCTL.

// in debugctl_write
@@
@@
+ uint64_t old = cpu->debugctl;
  cpu->debugctl = value & accepted;
+ fault_debugctl_written(cpu, old);

// in debugctl_write
@@
typedef uint64_t;
@@
- cpu->debugctl = value & accepted;
+ cpu->debugctl = value & accepted & (fault(cpu, FAULT_BTS_BITS_DROPPED)
+     ? ~(uint64_t)(DEBUGCTL_BTS | DEBUGCTL_BTINT) : ~0ull);

// in debugctl_write
@@
expression taken; typedef uint64_t;
@@
- cpu->debugctl = taken;
+ cpu->debugctl = taken & (fault(cpu, FAULT_OFF_BITS_DROPPED)
+     ? ~(uint64_t)(DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR) : ~0ull);

// in debugctl_write
@@
typedef uint64_t;
@@
  uint64_t accepted = debugctl_existing_bits(&cpu->profile);
+ accepted &= fault(cpu, FAULT_BTS_BITS_REFUSED) ? ~(uint64_t)(DEBUGCTL_BTS | DEBUGCTL_BTINT)
+     : ~0ull;
  ...

// in debugctl_write
@@
typedef uint64_t;
@@
  uint64_t accepted = debugctl_existing_bits(&cpu->profile);
+ accepted &= fault(cpu, FAULT_OFF_BITS_REFUSED)
+     ? ~(uint64_t)(DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR) : ~0ull;
  ...

// in debugctl_write
@@
typedef uint64_t;
@@
  uint64_t accepted = debugctl_existing_bits(&cpu->profile);
+ accepted &= fault(cpu, FAULT_FREEZE_BITS_REFUSED)
+     ? ~(uint64_t)(DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI) : ~0ull;
  ...

// in debugctl_write
@@
typedef uint64_t;
@@
  uint64_t accepted = debugctl_existing_bits(&cpu->profile);
+ accepted &= fault(cpu, FAULT_SMM_FREEZE_REFUSED) ? ~(uint64_t)(DEBUGCTL_FREEZE_WHILE_SMM) : ~0ull;
  ...

// in debugctl_write
@@
@@
  uint64_t accepted = debugctl_existing_bits(&cpu->profile);
+ accepted |= fault(cpu, FAULT_OFF_BITS_EXTRA) ? DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR : 0;
  ...

// in debugctl_write
@@
@@
- cpu->variation.reserved_ignored
+ (cpu->variation.reserved_ignored !=
+     (cpu->profile.ds && fault_is_on(cpu, FAULT_RESERVED_ON_ONE)))
