// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the counters' registers.

// in counter_msr_read
@@
@@
- *value = cpu->global_status;
+ *value = cpu->global_status & (fault_is_on(cpu, FAULT_LBR_FRZ_HIDDEN) ? ~STATUS_LBR_FRZ : ~0ull);

// in counter_msr_read
@@
expression shown;
@@
- *value = cpu->global_status & shown;
+ *value = cpu->global_status & shown & (fault_is_on(cpu, FAULT_CTR_FRZ_HIDDEN)
+     ? ~STATUS_CTR_FRZ : ~0ull);

// in writable_bits
@@
@@
- ~STATUS_CONDCHGD
+ (fault_is_on(cpu, FAULT_SET_CONDCHGD) ? ~0ull : ~STATUS_CONDCHGD)

// in clear_status
@@
@@
- cpu->global_status &= ~value;
+ fault_clear_status(cpu, value);
