/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A test of the serial line (line=). It sends lines that the reader of the log knows beforehand and
 * counts; the kernel gets no result.
 */
#ifndef KERNEL_REPORT_LINE_TEST_H
#define KERNEL_REPORT_LINE_TEST_H

#include <stdint.h>

#define LINE_TEST_USUAL 8u    /* KiB: 0.7 s at 115200 baud */
#define LINE_TEST_MOST  1024u /* KiB */
#define LINE_TEST_BYTES 64u   /* a line, CR and LF included, a checksum not */

/* Bytes of its text, terminating zero included, "# " not. */
#define LINE_TEST_TEXT 61u

/* Writes the pattern of this line, "line: 00017 …". Returns text. */
char *line_test_format(uint32_t number, char text[LINE_TEST_TEXT]);

/* Sends so many KiB to every sink except the screen. */
void line_test_send(uint32_t kib);

#endif
