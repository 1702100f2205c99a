// SPDX-License-Identifier: GPL-2.0-or-later
// Faults of XSAVES and XRSTORS of component 15.

// in save_entries
@@
@@
- lbr_entry(cpu, i)
+ fault_saved_entry(cpu, i)

// in ds_lbr_save
@@
@@
  save_entries(cpu, image);
+ fault_image_saved(cpu, image);
