/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters that others use: system management mode, a management controller, or microcode for
 * transactions (F25.5, F25.8, F25.13). They write such a counter's IA32_PERFEVTSELx, or its field
 * of IA32_FIXED_CTR_CTRL, again after we have cleared it. The log names the counter, and the kernel
 * leaves it alone.
 */
#ifndef ARCH_TRACE_FOREIGN_COUNTERS_H
#define ARCH_TRACE_FOREIGN_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Clears these registers, and waits some milliseconds to see which of them others set again.
 * Counters must be off. Returns true if it found a counter that was not known before.
 */
bool foreign_counters_look(void);

/* Returns the counters that others use, as bits of the global registers: n for PMCn,
 * FOREIGN_FIXED_SHIFT + n for fixed counter n. */
#define FOREIGN_FIXED_SHIFT 32u
uint64_t foreign_counters(void);

/* The bits of IA32_FIXED_CTR_CTRL that belong to the counters that others use, and those that
 * belong to fixed counter `number`. Only the first FOREIGN_FIXED_LOOKED counters are checked,
 * because no known processor has more, and higher bits have other meanings. */
#define FOREIGN_FIXED_LOOKED 8u
uint64_t foreign_fixed_fields(void);
uint64_t foreign_fields_of(unsigned number);

#define FOREIGN_TEXT_SIZE 160u

/* Lists the counters that others use, and what they wrote to the first one's control: "pmc2, fixed1
 * (IA32_PERFEVTSEL2 is cleared and becomes 43013CH)". Returns text. */
char *foreign_counters_describe(char *text, size_t size);

#endif
