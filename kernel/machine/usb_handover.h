/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Firmware that shows a USB keyboard as a PS/2 one serves its controller in system management mode,
 * some hundred times a second. Where SMIs come while nothing asks for one, or none can be counted
 * outside an emulator, each controller is taken over as an operating system would (F25.25 to
 * F25.28); that keyboard is gone from then on (F25.29). Elsewhere nothing is touched.
 */
#ifndef KERNEL_MACHINE_USB_HANDOVER_H
#define KERNEL_MACHINE_USB_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks for some milliseconds, and does it; some seconds at most. Calls before with the name
 * of each that it is about to take, "xHCI 00:14.0", and says in text what was done, "" where
 * nothing was. Returns text. Needs paging_init(),
 * time_init() and features_probe().
 */
char *usb_handover(void (*before)(const char *name), char *text, size_t size);

#endif
