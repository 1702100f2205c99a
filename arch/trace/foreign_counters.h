/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters in foreign use. System management mode, a management controller, or microcode for
 * transactions may use a counter (F25.5, F25.8, F25.13), and rewrites its select, or its field of
 * IA32_FIXED_CTR_CTRL, after our writes. The log names such a counter, and the kernel leaves it
 * alone.
 */
#ifndef ARCH_TRACE_FOREIGN_COUNTERS_H
#define ARCH_TRACE_FOREIGN_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Clears every select and field, and waits some milliseconds for those that are set again. Counters
 * must be off. Returns whether it found a new one.
 */
bool foreign_counters_look(void);

/* As bits of the global registers: n, or FOREIGN_FIXED_SHIFT + n for a fixed counter. */
#define FOREIGN_FIXED_SHIFT 32u
uint64_t foreign_counters(void);

/* Bits of IA32_FIXED_CTR_CTRL in foreign use; and the bits of one counter. Only the first
 * FOREIGN_FIXED_LOOKED counters are checked: no known processor has more, and higher bits have
 * other meanings. */
#define FOREIGN_FIXED_LOOKED 8u
uint64_t foreign_fixed_fields(void);
uint64_t foreign_fields_of(unsigned number);

#define FOREIGN_TEXT_SIZE 160u

/* Lists them, with what the first one's control became: "pmc2, fixed1 (IA32_PERFEVTSEL2 is cleared
 * and becomes 43013CH)". Returns text. */
char *foreign_counters_describe(char *text, size_t size);

#endif
