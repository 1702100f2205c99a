/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the UART for the log, if none is named, and locates one that is named by hand.
 *
 * The log goes to COM1, if it answers, and to the UART that the table SPCR, or else DBG2, names. On
 * a server the firmware's console, with the management controller's serial-over-LAN, may be another
 * port than the one with the cable (F26.6), so both get the log. If neither exists, the first PCI
 * UART is used, or last the first of Intel's LPSS, which may serve anything. The keys of super-I/O
 * chips (F26.14) are never tried, because to another chip they are commands.
 */
#ifndef KERNEL_CONSOLE_CONSOLE_FIND_H
#define KERNEL_CONSOLE_CONSOLE_FIND_H

#include "kernel/settings.h"

/* Opens what it finds. Needs paging_init(), time_init() and the named sinks open. */
void console_find(const struct options *options);

/* Line i for the log, with why a UART that was found is not used; NULL past the last. */
const char *console_find_note(unsigned i);

#endif
