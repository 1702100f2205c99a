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

// in ds_lbr_restore
@@
@@
+ if (fault(cpu, FAULT_XRSTORS_LBR_IGNORED)) {
+     return true;
+ }
  if (!arch_lbr_write_control(cpu, image[IMAGE_CTL])) {
      ...
  }

// in ds_lbr_restore
@@
@@
- arch_lbr_write_control(cpu, image[IMAGE_CTL])
+ arch_lbr_write_control(cpu, fault(cpu, FAULT_XRSTORS_LBR_CTL_KEPT) ? cpu->lbr_control
+     : image[IMAGE_CTL])

// in restore_entries
@@
@@
- cpu->lbr_info[i] = place[2];
+ if (!fault(cpu, FAULT_XRSTORS_LBR_INFO_KEPT)) {
+     cpu->lbr_info[i] = place[2];
+ }

// in ds_lbr_save
@@
@@
+ if (cpu->fault_memory.lbr_unmodified && fault(cpu, FAULT_XSAVES_LBR_STALE)) {
+     return false;
+ }
  image[IMAGE_CTL] = cpu->lbr_control;

// in ds_lbr_restore
@@
@@
  restore_stack(cpu, image);
+ cpu->fault_memory.lbr_unmodified = fault_is_on(cpu, FAULT_XSAVES_LBR_STALE);

// in ds_lbr_initial
@@
@@
  cpu->lbr_control = 0;
+ cpu->fault_memory.lbr_unmodified = fault_is_on(cpu, FAULT_XSAVES_LBR_STALE);
