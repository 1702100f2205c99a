/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is broken, in a few sentences for the screen, from what the summary kept. */
#ifndef KERNEL_REPORT_SUMS_H
#define KERNEL_REPORT_SUMS_H

#define SUMS_LINE 100u /* bytes, terminating zero included; longer sentences are cut */

/* Writes up to `max` sentences, the one that explains most first. Returns their number. */
unsigned sums_sentences(char (*lines)[SUMS_LINE], unsigned max);

#endif
