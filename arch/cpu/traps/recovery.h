/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A way back from code that hangs: a point is set before the code runs, and an interrupt handler
 * (watchdog) makes its own return lead to that point instead of to where it interrupted.
 */
#ifndef ARCH_CPU_TRAPS_RECOVERY_H
#define ARCH_CPU_TRAPS_RECOVERY_H

#include <stdint.h>
#include "arch/cpu/traps/trap_frame.h"

struct recovery_point { /* offsets known to recovery.S */
    uint64_t rbx, rbp, r12, r13, r14, r15;
    uint64_t rsp, rip, rflags;
};

/*
 * Like setjmp: returns 0 when set, and returns again with the value given to recovery_resume().
 * The function that called it must not have returned by then; locals that changed since must be
 * volatile.
 */
int recovery_point_set(struct recovery_point *point) __attribute__((returns_twice));

/*
 * Rewrites the frame of the interrupt being served, from any ring and on any stack (NMI included),
 * so that its IRET lands at the point in ring 0, with RFLAGS (IF) as they were when it was set.
 * value must not be 0. Return true from the handler after this. A fixed interrupt still needs its
 * EOI (apic_end_all()), and gates or SYSCALL entries that the lost code had changed need
 * interrupt_gate_reset() and user_set_syscall_entry(NULL).
 */
void recovery_resume(const struct recovery_point *point, struct trap_frame *frame, int value);

#endif
