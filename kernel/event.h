/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An exception or interrupt that nobody expected, in words, the same words wherever it is told. */
#ifndef KERNEL_EVENT_H
#define KERNEL_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "arch/cpu/interrupts.h"

#define EVENT_TEXT_SIZE 256u

/*
 * "unexpected #PF (vector 14, error code 0x2, CR2 0x1000) at f+0x3 in ring 0 on processor 1". The
 * frame is as the common entry saved it; cr2 is told where it belongs to the event. Returns text.
 */
char *event_format(const struct trap_frame *frame, uint64_t cr2, unsigned processor, char *text,
                   size_t size);

/* The event alone: "#PF (vector 14, error code 0x2, CR2 0x1000)". Returns text. */
char *event_format_name(uint64_t vector, uint64_t error_code, uint64_t cr2, char *text,
                        size_t size);

#endif
