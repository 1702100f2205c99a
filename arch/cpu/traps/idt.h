/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 256 gates as the processor reads them (F14.4). */
#ifndef ARCH_CPU_TRAPS_IDT_H
#define ARCH_CPU_TRAPS_IDT_H

#include <stdbool.h>
#include <stdint.h>

/* Fills every gate with its default and loads IDTR. */
void idt_load(void);

/* An interrupt gate: clears IF and TF on entry. ist 0 to 7, dpl 0 or 3. */
void idt_set(uint8_t vector, uint64_t entry, unsigned dpl, unsigned ist);

/* The common entry, on its own stack for #DB, NMI, #DF, #MC; ring 3's way back for VECTOR_USER_INT.
 */
void idt_set_default(uint8_t vector);
bool idt_is_default(uint8_t vector);

/* The common entry, wherever the gate led before. */
void idt_set_common_entry(uint8_t vector, unsigned dpl, unsigned ist);

/* Where the gate leads, and the ring that may use it with INT n. */
uint64_t idt_entry(uint8_t vector);
unsigned idt_dpl(uint8_t vector);

#endif
