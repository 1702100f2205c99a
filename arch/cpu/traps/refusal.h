/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses to a model-specific register or a counter that raise an exception although none
 * is expected there: what is enumerated need not be there, and what is there need not take every
 * value. An access is plain or has a fixup; a plain one in ring 0 that is refused ends no more than
 * the test that made it.
 */
#ifndef ARCH_CPU_TRAPS_REFUSAL_H
#define ARCH_CPU_TRAPS_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/cpu/traps/trap_frame.h"

struct refusal {
    const char *instruction; /* "RDMSR", "WRMSR" or "RDPMC" */
    uint32_t number;         /* ECX */
    bool writes;
    uint64_t value; /* what it was to write: EDX:EAX */
    uint64_t place;
    struct exception exception;
};

/*
 * Asked on the processor that met it. goes_on: the code
 * has a way on from there (EXTABLE_REFUSAL). If it has none the handler sees to it that the frame
 * leads somewhere else. False: it is an unexpected exception like others.
 */
typedef bool (*refusal_handler)(struct trap_frame *frame, const struct refusal *refusal,
                                bool goes_on);

void refusal_set_handler(refusal_handler handler);

/* False too when the exception is no refusal. */
bool refusal_handle(struct trap_frame *frame, bool goes_on);

#endif
