/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refusals: unexpected exceptions of accesses to a model-specific register or a counter. An
 * enumerated register may be missing, and an existing one may reject a value. Accesses are plain or
 * have a fixup; a refused plain access in ring 0 ends only the test that made it.
 */
#ifndef ARCH_CPU_TRAPS_MSR_FAULT_H
#define ARCH_CPU_TRAPS_MSR_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/cpu/traps/trap_frame.h"

struct msr_fault {
    const char *instruction; /* "RDMSR", "WRMSR" or "RDPMC" */
    uint32_t number;         /* ECX */
    bool writes;
    uint64_t value; /* value to write: EDX:EAX */
    uint64_t place;
    struct exception exception;
};

/*
 * Called on the processor where it happened. goes_on: the code has a fixup (EXTABLE_MSR_FAULT); if
 * not, the handler must change the frame. Returns false to treat it as any unexpected exception.
 */
typedef bool (*msr_fault_handler)(struct trap_frame *frame, const struct msr_fault *fault,
                                  bool goes_on);

void msr_fault_set_handler(msr_fault_handler handler);

/* Returns false also if the exception is no refusal. */
bool msr_fault_handle(struct trap_frame *frame, bool goes_on);

#endif
