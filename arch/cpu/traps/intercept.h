/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single-steps with TF in rings 0 and 3, and through gates. Delivery of an interrupt or exception
 * clears TF (F9.6). Each gate therefore leads to our code, which can set TF again and continue at
 * the landing: the gate's original entry, with the stack as the processor would have left it.
 *
 * Never intercepts #DF. Intercepts #MC, NMI and interrupts only where a test has changed the gate
 * (idt_is_default()), so the kernel's own interrupts are left alone. Intercepts all other
 * exceptions. One user at a time.
 */
#ifndef ARCH_CPU_TRAPS_INTERCEPT_H
#define ARCH_CPU_TRAPS_INTERCEPT_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/traps/interrupts.h"

struct intercept {
    /* A #DB came; called on a stack of its own. landing: the gate's original entry; 0: the common
     * entry. */
    void (*on_debug)(struct trap_frame *frame, uint64_t landing);
    /* The frame's vector is about to be delivered to landing (0: the common entry). */
    void (*on_delivery)(struct trap_frame *frame, uint64_t landing);
};

/*
 * Takes over the gates, and clears TF in IA32_FMASK so that SYSCALL is followed. The caller sets
 * TF, first in RFLAGS and then in the frames. Gates must not change before intercept_stop().
 */
void intercept_start(const struct intercept *intercept);
void intercept_stop(void);
bool intercept_is_on(void);

/*
 * For the two callbacks, if landing is not 0. Makes the frame continue at the landing, as if its
 * vector had been delivered through an interrupt gate without IST: copies what the processor pushed
 * to the stack where such a gate pushes it. Clears TF.
 */
void intercept_deliver(struct trap_frame *frame, uint64_t landing);

#endif
