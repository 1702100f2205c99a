/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Some firmware makes a USB keyboard look like a PS/2 one. For that it polls the USB controller in
 * system management mode, some hundred times a second. The kernel takes each controller over as an
 * operating system would (F25.25 to F25.28), if SMIs come that it did not ask for, or if it runs
 * without a hypervisor and cannot count SMIs. The emulated keyboard is then gone (F25.29).
 * Otherwise nothing is touched.
 */
#ifndef KERNEL_MACHINE_USB_HANDOVER_H
#define KERNEL_MACHINE_USB_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Watches for SMIs for some milliseconds, then takes the controllers over, which takes some seconds
 * at most. Right before it takes a controller, calls before() with the name, "xHCI 00:14.0".
 * Writes what it did to text ("" if nothing) and returns text. Needs paging_init(), time_init() and
 * features_probe().
 */
char *usb_handover(void (*before)(const char *name), char *text, size_t size);

#endif
