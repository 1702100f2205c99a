/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 256 interrupt gates, one frame layout, and who handles what. A gate normally leads to an entry
 * that saves a struct trap_frame and calls the vector's handler; a test may point a gate straight
 * at its own code, so that no instruction of ours stands between the event and the test (F4.3).
 */
#ifndef ARCH_CPU_TRAPS_INTERRUPTS_H
#define ARCH_CPU_TRAPS_INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/traps/trap_frame.h"

/* Returns true when the event was dealt with and execution goes on at frame->rip. */
typedef bool (*interrupt_handler)(struct trap_frame *frame);

/*
 * Loads GDT, TSS and IDT of the running processor, whose index this is; all gates lead to the
 * common entries. The processor that booted (0) also masks the 8259s and moves their vectors,
 * which from the firmware are those of exceptions (F11.9). IF stays clear.
 */
void interrupts_init(uint32_t index);

/* One handler a vector, the same on every processor; NULL takes it away. NMI may have several:
 * interrupt_add_nmi_handler(). */
void interrupt_set_handler(uint8_t vector, interrupt_handler handler);
interrupt_handler interrupt_handler_of(uint8_t vector); /* NULL: none */
bool interrupt_has_handler(uint8_t vector);

/* Asked in the order of registration until one returns true. At most 8. */
void interrupt_add_nmi_handler(interrupt_handler handler);
void interrupt_remove_nmi_handler(interrupt_handler handler);

/*
 * Called for an exception that no handler dealt with (kernel/ sets panic here). Does not return.
 * Asked before it, in this order: for an exception in ring 0 its fixup; the vector's handlers; for
 * an exception in ring 3 the user_run() that waits for it; for a register that refused an access,
 * refusal_handle(). What is no exception is taken by another, set once, which gives it its end
 * (arch/cpu/apic/unclaimed.h).
 */
void interrupt_set_fallback(void (*fallback)(struct trap_frame *frame));
void interrupt_set_unclaimed(void (*take)(struct trap_frame *frame));

/* The gates are the running processor's own. */

/* Points the gate straight at entry (dpl 0 or 3); interrupt gate, no IST. _reset() undoes it. */
void interrupt_gate_direct(uint8_t vector, void (*entry)(void), unsigned dpl);
void interrupt_gate_reset(uint8_t vector);
void interrupt_gates_reset(void); /* all 256 */

/* What the common entry calls; for entries of others that saved a struct trap_frame themselves. */
void interrupt_dispatch(struct trap_frame *frame);

/* How often the vector was delivered to the running processor's common entry since boot. */
uint64_t interrupt_count(uint8_t vector);

#endif
