/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single-stepping under TF, from ring 0 and ring 3 and through gates. Delivery of an interrupt or
 * exception clears TF (F9.6), so its gate is led to our own code first, which goes on at the
 * landing with TF set and the stack as the processor would have left it.
 *
 * Intercepted are all exceptions, and interrupts whose gate does not lead to the common entry; #DF,
 * #MC and interrupts of the kernel's own go where they always go. One user at a time.
 */
#ifndef ARCH_CPU_TRAPS_INTERCEPT_H
#define ARCH_CPU_TRAPS_INTERCEPT_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/traps/interrupts.h"

struct intercept {
    /* #DB, on a stack of its own. landing: where #DB's own gate leads, 0 for the common entry. */
    void (*on_debug)(struct trap_frame *frame, uint64_t landing);
    /* The vector in the frame is about to be delivered to landing (0: the common entry). */
    void (*on_delivery)(struct trap_frame *frame, uint64_t landing);
};

/*
 * Takes the gates over, and keeps TF out of IA32_FMASK so that SYSCALL is followed. TF itself is
 * the caller's: in the frames, and in RFLAGS to begin with. Gates must not change before the stop.
 */
void intercept_start(const struct intercept *intercept);
void intercept_stop(void);
bool intercept_is_on(void);

/*
 * For the two callbacks: makes the frame go on at the landing as after a delivery through an
 * interrupt gate without IST. What the processor pushed is pushed once more where it belongs.
 */
void intercept_deliver(struct trap_frame *frame, uint64_t landing);

#endif
