/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the page on the screen when a run is over. The log has its last lines already. */
#ifndef KERNEL_END_SCREEN_H
#define KERNEL_END_SCREEN_H

#include "kernel/ktap.h"
#include "kernel/event.h"

/* crash is NULL for a run that came to its end. Where no test ran the log stays on the screen. */
void end_screen_show(const struct ktap_totals *totals, enum verdict verdict,
                     const struct crash *crash);

#endif
