// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of the branch trace store.

// in bts_is_on
@@
@@
- debugctl_is_set(cpu, needed)
+ (debugctl_is_set(cpu, needed) || fault_bts_goes_on(cpu))

// in bts_branch
@@
@@
+ struct ds_branch record = *branch;
+
+ if (fault_record_out(cpu, &record)) {
+     return BTS_DROPPED;
+ }
- return store(cpu, host, branch, predicted);
+ return store(cpu, host, &record, predicted);

// in bts_is_on*2 cpl_is_off is_circular may_interrupt
@@
expression bits;
@@
- debugctl_is_set(cpu, bits)
+ fault_setting_is(cpu, bits)
