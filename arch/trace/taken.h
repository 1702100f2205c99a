/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters that are not ours: system management mode, a management controller, or a microcode that
 * runs transactions may use one (F25.5, F25.8, F25.13), and sets its select, or its field of
 * IA32_FIXED_CTR_CTRL, up anew whoever wrote it. Such a counter is named in the log and left alone
 * from then on.
 */
#ifndef ARCH_TRACE_TAKEN_H
#define ARCH_TRACE_TAKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Clears every select and field, waits for some milliseconds, and looks which is set again.
 * Counters must be off. Returns whether there is one that was not known yet.
 */
bool taken_look(void);

/* By their bits of the global registers: n, or TAKEN_FIXED_SHIFT + n for a fixed one. */
#define TAKEN_FIXED_SHIFT 32u
uint64_t taken_counters(void);

/* The bits of IA32_FIXED_CTR_CTRL that are those of others; those of one counter, whose it may be.
 * No processor known has more; past them stand bits of other meanings. */
#define TAKEN_FIXED_LOOKED 8u
uint64_t taken_fixed_fields(void);
uint64_t taken_fields_of(unsigned number);

#define TAKEN_TEXT_SIZE 160u

/* "pmc2, fixed1 (IA32_PERFEVTSEL2 is cleared and becomes 43013CH)": all of them, and what the first
 * one's control became. Returns text. */
char *taken_describe(char *text, size_t size);

#endif
