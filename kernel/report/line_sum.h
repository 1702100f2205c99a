/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind each line of a log with log=sum, " ~1a2b": a checksum over the line and its
 * number in the log, so that a reader knows a line that the way has damaged, and sees that one was
 * lost or came twice. Pure.
 */
#ifndef KERNEL_REPORT_LINE_SUM_H
#define KERNEL_REPORT_LINE_SUM_H

#include <stddef.h>
#include <stdint.h>

#define LINE_SUM_SIZE 6u /* bytes: " ~1a2b" */

/*
 * CRC-16 (polynomial 1021H, most significant bit first, from FFFFH) over the low two bytes of the
 * number, the lowest first, and over the text, its indentation included.
 */
uint16_t line_sum(uint32_t number, const char *text, size_t length);

#endif
