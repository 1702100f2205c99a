/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For Coccinelle: definitions of QEMU's macros that its parser cannot read otherwise. */
#define G_NORETURN
