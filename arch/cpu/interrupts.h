/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 256 interrupt gates, one frame layout, and who handles what. A gate normally leads to an entry
 * that saves a struct trap_frame and calls the vector's handler; a test may point a gate straight
 * at its own code, so that no instruction of ours stands between the event and the test (F4.3).
 */
#ifndef ARCH_CPU_INTERRUPTS_H
#define ARCH_CPU_INTERRUPTS_H

#define VECTOR_DE       0
#define VECTOR_DB       1
#define VECTOR_NMI      2
#define VECTOR_BP       3
#define VECTOR_OF       4
#define VECTOR_OF       4
#define VECTOR_BR       5
#define VECTOR_UD       6
#define VECTOR_DF       8
#define VECTOR_GP       13
#define VECTOR_PF       14
#define VECTOR_MC       18
#define VECTOR_USER_INT 0x80 /* INT n by which ring 3 comes back; gate DPL 3 */
#define VECTOR_PMI      0xe0 /* performance LVT, fixed delivery */
#define VECTOR_TIMER    0xe1
#define VECTOR_TEST     0xe2 /* for a test; nobody's otherwise */
#define VECTOR_SPURIOUS 0xff

#define INTERRUPT_ENTRY_SIZE 16 /* bytes from one vector's common entry to the next */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

/* Lowest address first; pushed by the common entry, then by the processor (F14.5). */
struct trap_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error_code;
    uint64_t rip, cs, rflags, rsp, ss;
};

/* Returns true when the event was dealt with and execution goes on at frame->rip. */
typedef bool (*interrupt_handler)(struct trap_frame *frame);

/*
 * Loads GDT, TSS and IDT of the running processor, whose index this is; all gates lead to the
 * common entries. The processor that booted (0) also masks the 8259s, whose vectors from the
 * firmware are those of exceptions (F11.9). IF stays clear.
 */
void interrupts_init(uint32_t index);

/* One handler a vector, the same on every processor; NULL takes it away. NMI may have several:
 * interrupt_add_nmi_handler(). */
void interrupt_set_handler(uint8_t vector, interrupt_handler handler);
bool interrupt_has_handler(uint8_t vector);

/* Asked in the order of registration until one returns true. At most 8. */
void interrupt_add_nmi_handler(interrupt_handler handler);
void interrupt_remove_nmi_handler(interrupt_handler handler);

/*
 * Called for what nobody handled (kernel/ sets panic here). Does not return. Asked before it, in
 * this order: for an exception in ring 0 its fixup; the vector's handlers; for an exception in ring
 * 3 the user_run() that waits for it; for a register that refused an access, refusal_handle().
 */
void interrupt_set_fallback(void (*fallback)(struct trap_frame *frame));

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
#endif
