/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For Coccinelle: what QEMU's macros mean where a parser stumbles over their names. */
#define G_NORETURN
