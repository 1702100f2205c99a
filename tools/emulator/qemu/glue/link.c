// SPDX-License-Identifier: GPL-2.0-or-later
/* The ACPI tables of QEMU 10.2 ask for this, and do not link without CXL. */
#include "qemu/osdep.h"

GSList *cxl_fmws_get_all_sorted(void);

__attribute__((weak)) GSList *cxl_fmws_get_all_sorted(void)
{
    return NULL;
}
