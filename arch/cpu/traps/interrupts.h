/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupt gates and handlers. A gate normally leads to an entry that saves a struct trap_frame
 * and calls the vector's handler. A test may point a gate at its own code, so that none of our
 * instructions run between the event and the test (F4.3).
 */
#ifndef ARCH_CPU_TRAPS_INTERRUPTS_H
#define ARCH_CPU_TRAPS_INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/cpu/traps/trap_frame.h"

/* Returns true if it handled the event; execution then continues at frame->rip. */
typedef bool (*interrupt_handler)(struct trap_frame *frame);

/*
 * Loads GDT, TSS and IDT of the running processor, whose number is `index`, with the default gates
 * (idt_set_default()). Sets CR4.MCE and the MSRs of SYSCALL. IF stays clear. On processor 0
 * pic_init() must follow, because PC firmware gives the 8259s vectors of exceptions (F11.9).
 */
void interrupts_init(uint32_t index);

/* Sets the vector's only handler, on every processor; NULL removes it. For NMI use
 * interrupt_add_nmi_handler(), which allows several. */
void interrupt_set_handler(uint8_t vector, interrupt_handler handler);
interrupt_handler interrupt_handler_of(uint8_t vector); /* NULL: none */
bool interrupt_has_handler(uint8_t vector);

/* NMI handlers, at most 8, are called in the order of registration until one returns true. */
void interrupt_add_nmi_handler(interrupt_handler handler);
void interrupt_remove_nmi_handler(interrupt_handler handler);

/*
 * Sets the function for exceptions that nobody handles, on every processor. If it returns,
 * execution continues at the frame. Tried before it, in this order: the fixup of an exception in
 * ring 0, the vector's handlers, the user_run() that waits for an exception in ring 3,
 * msr_fault_handle() for a refused register access, and the processor's own fallback in struct cpu.
 * interrupt_set_unclaimed() sets who takes unhandled interrupts and sends their EOI
 * (arch/cpu/apic/unclaimed.h).
 */
void interrupt_set_fallback(void (*fallback)(struct trap_frame *frame));
void interrupt_set_unclaimed(void (*take)(struct trap_frame *frame));

/* The following functions change the running processor's gates. */

/* Makes `entry` the gate's target (interrupt gate, no IST, dpl 0 or 3). interrupt_gate_reset()
 * undoes it. */
void interrupt_gate_direct(uint8_t vector, void (*entry)(void), unsigned dpl);
void interrupt_gate_reset(uint8_t vector);
void interrupt_gates_reset(void); /* all 256 */

/* Called by the common entry, and by other entries that saved a struct trap_frame. */
void interrupt_dispatch(struct trap_frame *frame);

/* Calls of interrupt_dispatch() for the vector on the running processor since boot. */
uint64_t interrupt_count(uint8_t vector);

/*
 * Leaves code that hangs: a recovery point is set before the code runs, and an interrupt handler
 * (the watchdog's) returns to that point instead of to the code it interrupted.
 */
struct recovery_point { /* interrupt_entry.S uses the offsets */
    uint64_t rbx, rbp, r12, r13, r14, r15;
    uint64_t rsp, rip, rflags;
};

/*
 * Like setjmp: returns 0 first, and again with the value given to recovery_resume(). The calling
 * function must not have returned by then; locals that changed since must be volatile.
 */
int recovery_point_set(struct recovery_point *point) __attribute__((returns_twice));

/*
 * Rewrites the frame of the interrupt being served, from any ring and on any stack (NMI included),
 * so that its IRET returns to the point in ring 0, with RFLAGS (IF) as they were at that point.
 * `value` must not be 0. The handler must then return true. A fixed interrupt still needs its EOI
 * (apic_end_all()); gates and SYSCALL entries that the lost code changed need
 * interrupt_gate_reset() and user_set_syscall_entry(NULL).
 */
void recovery_resume(const struct recovery_point *point, struct trap_frame *frame, int value);

/*
 * Refusals: unexpected exceptions of accesses to a model-specific register or a counter. An
 * enumerated register may be missing, and an existing one may reject a value. Accesses are plain or
 * have a fixup; a refused plain access in ring 0 ends only the test that made it.
 */

struct msr_fault {
    const char *instruction; /* "RDMSR", "WRMSR" or "RDPMC" */
    uint32_t number;         /* ECX */
    bool writes;
    uint64_t value; /* value to write: EDX:EAX */
    uint64_t place; /* RIP of the instruction */
    struct exception exception;
};

/*
 * Called on the processor whose access was refused. goes_on: the code has a fixup
 * (EXTABLE_MSR_FAULT); if not, the handler must change the frame. Returns false if the refusal is
 * to be treated as any unexpected exception.
 */
typedef bool (*msr_fault_handler)(struct trap_frame *frame, const struct msr_fault *fault,
                                  bool goes_on);

void msr_fault_set_handler(msr_fault_handler handler);

/* Calls that handler if the exception is a refusal, and returns what it returns; otherwise returns
 * false. */
bool msr_fault_handle(struct trap_frame *frame, bool goes_on);

#endif
