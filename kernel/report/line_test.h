/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A test of the serial line (line=): lines that the reader of the log knows beforehand. What came
 * of them is for the reader to count, the kernel hears nothing of it.
 */
#ifndef KERNEL_REPORT_LINE_TEST_H
#define KERNEL_REPORT_LINE_TEST_H

#include <stdint.h>

#define LINE_TEST_USUAL 8u    /* KiB: 0.7 s at 115200 baud */
#define LINE_TEST_MOST  1024u /* KiB */
#define LINE_TEST_BYTES 64u   /* a line, its CR and LF included; a checksum comes on top */

/* Bytes of its text, "# " not among them, and of the zero behind it. */
#define LINE_TEST_TEXT 61u

/* "line: 00017 …": the pattern of that line, into text, which is returned. */
char *line_test_format(uint32_t number, char text[LINE_TEST_TEXT]);

/* Sends so many KiB, to every sink but the screen. */
void line_test_send(uint32_t kib);

#endif
