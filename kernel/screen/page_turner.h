/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the pages at the end of a run, and turns them where the machine stays on. */
#ifndef KERNEL_SCREEN_PAGE_TURNER_H
#define KERNEL_SCREEN_PAGE_TURNER_H

#include "kernel/screen/end_page.h"

/* Shows the first page. The report must stay, and the foot may change. */
void page_turner_start(const struct end_report *report);

/* Shows the page once more, with what has changed. */
void page_turner_again(void);

/*
 * Turns pages by the keys of a keyboard, or by itself as long as none was pressed; the processor is
 * halted meanwhile. Returns where there is nothing to turn, or no timer to wake it up.
 */
void page_turner_run(void);

#endif
