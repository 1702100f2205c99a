/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's names on a page. Pure. */
#ifndef KERNEL_SCREEN_MACHINE_LINES_H
#define KERNEL_SCREEN_MACHINE_LINES_H

#include <stdbool.h>

#include "kernel/report/machine.h"
#include "kernel/screen/screen_page.h"

/* Adds processor and hypervisor, signature and microcode, firmware and board; and sinks that the
 * log should use but cannot. */
void machine_add_lines(struct screen_flow *flow, const struct machine_name *machine,
                       bool with_board);

#endif
