/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves code that hangs: a recovery point is set before the code runs, and an interrupt handler
 * (the watchdog's) returns to that point instead of to the code it interrupted.
 */
#ifndef ARCH_CPU_TRAPS_RECOVERY_H
#define ARCH_CPU_TRAPS_RECOVERY_H

#include <stdint.h>
#include "arch/cpu/traps/trap_frame.h"

struct recovery_point { /* recovery.S uses the offsets */
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
 * so that its IRET returns to the point in ring 0, with RFLAGS (IF) as they were there. value must
 * not be 0. The handler must then return true. A fixed interrupt still needs its EOI
 * (apic_end_all()); gates and SYSCALL entries that the lost code changed need
 * interrupt_gate_reset() and user_set_syscall_entry(NULL).
 */
void recovery_resume(const struct recovery_point *point, struct trap_frame *frame, int value);

#endif
