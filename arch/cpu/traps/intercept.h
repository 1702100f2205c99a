/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single-steps with TF in rings 0 and 3, and through gates. Delivery of an interrupt or exception
 * clears TF (F9.6). Each gate therefore leads to our code, which continues at the landing, the
 * gate's original entry, with TF set and the stack as the processor would have left it.
 *
 * Intercepts all exceptions except #DF and #MC, and interrupts whose gate does not lead to the
 * common entry; the kernel's own interrupts are left alone. One user at a time.
 */
#ifndef ARCH_CPU_TRAPS_INTERCEPT_H
#define ARCH_CPU_TRAPS_INTERCEPT_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/traps/interrupts.h"

struct intercept {
    /* #DB, on a stack of its own. landing: original entry of its gate; 0: the common entry. */
    void (*on_debug)(struct trap_frame *frame, uint64_t landing);
    /* The vector in the frame is about to be delivered to landing (0: the common entry). */
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
 * For the two callbacks: makes the frame continue at the landing, as after delivery through an
 * interrupt gate without IST. Copies what the processor pushed to the stack where it belongs.
 */
void intercept_deliver(struct trap_frame *frame, uint64_t landing);

#endif
