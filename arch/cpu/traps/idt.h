/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 256 interrupt gates (F14.4). */
#ifndef ARCH_CPU_TRAPS_IDT_H
#define ARCH_CPU_TRAPS_IDT_H

#include <stdbool.h>
#include <stdint.h>

/* Fills every gate with its default and loads IDTR. */
void idt_load(void);

/* Sets an interrupt gate, which clears IF and TF on entry. ist: 0 to 7; dpl: 0 or 3. */
void idt_set(uint8_t vector, uint64_t entry, unsigned dpl, unsigned ist);

/* Default gate: the common entry, on a stack of its own for #DB, NMI, #DF and #MC; for
 * VECTOR_USER_INT the return from ring 3. */
void idt_set_default(uint8_t vector);
bool idt_is_default(uint8_t vector);

/* Points the gate at the common entry. */
void idt_set_common_entry(uint8_t vector, unsigned dpl, unsigned ist);

/* The gate's entry address, and its DPL: the outermost ring that may use it by INT n. */
uint64_t idt_entry(uint8_t vector);
unsigned idt_dpl(uint8_t vector);

#endif
