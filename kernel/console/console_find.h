/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which UART the log goes to when nobody says which, and where the one is that was named by hand:
 *
 * COM1, if it answers, and the UART that the table SPCR names, else DBG2: on a server the
 * firmware's console, and with it the serial-over-LAN of the management controller, may be another
 * port than the one that a cable is in (F26.6), and a log on both does no harm. Where neither is
 * there, the first PCI UART, then the first of Intel's LPSS, which may serve anything: those come
 * last. The keys of super-I/O chips (F26.14) are tried on no board: to another chip they are
 * commands.
 */
#ifndef KERNEL_CONSOLE_CONSOLE_FIND_H
#define KERNEL_CONSOLE_CONSOLE_FIND_H

#include "kernel/settings.h"

/* Opens what it finds. Needs paging_init() and time_init(); the sinks named are open already. */
void console_find(const struct options *options);

/* Why something that was found is not used, one line each, for the log; NULL beyond the last. */
const char *console_find_note(unsigned i);

#endif
