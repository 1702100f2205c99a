/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * General-purpose counters that are not ours: system management mode, a management controller, or a
 * microcode that runs transactions may use one (F25.8, F25.13), and sets its select up anew whoever
 * wrote it. Such a counter is named in the log and left alone from then on.
 */
#ifndef ARCH_TRACE_TAKEN_H
#define ARCH_TRACE_TAKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Clears every select, waits for some milliseconds, and looks which is set again. Counters must be
 * off. Returns whether there is one that was not known yet.
 */
bool taken_look(void);

/* Counter n is bit n. */
uint64_t taken_counters(void);

#define TAKEN_TEXT_SIZE 160u

/* "pmc2, pmc3 (IA32_PERFEVTSEL2 is cleared and becomes 43013CH)": all of them, and what the first
 * one's select became. Returns text. */
char *taken_describe(char *text, size_t size);

#endif
