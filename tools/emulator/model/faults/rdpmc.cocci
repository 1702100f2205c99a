// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of RDPMC.

// in ds_rdpmc
@@
expression number;
@@
- is_kept_from_ring_3(cpu, number)
+ (is_kept_from_ring_3(cpu, number) || fault_user_off(cpu))
