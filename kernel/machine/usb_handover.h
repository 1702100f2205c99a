/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Firmware that emulates a PS/2 keyboard with a USB one serves its controller in system management
 * mode, some hundred times a second. If SMIs come unasked, or cannot be counted outside an
 * emulator, each controller is taken over as an operating system would (F25.25 to F25.28). The
 * emulated keyboard is then gone (F25.29). Otherwise nothing is touched.
 */
#ifndef KERNEL_MACHINE_USB_HANDOVER_H
#define KERNEL_MACHINE_USB_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Watches for SMIs for some milliseconds, then takes the controllers over; some seconds at most.
 * Calls before with the name of each controller, "xHCI 00:14.0", before it is taken. Writes to text
 * what was done, "" if nothing, and returns text. Needs paging_init(), time_init() and
 * features_probe().
 */
char *usb_handover(void (*before)(const char *name), char *text, size_t size);

#endif
