/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An exception as a value: which one came, or none. Fault-fixup accessors return it. */
#ifndef ARCH_CPU_FAULT_H
#define ARCH_CPU_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#define FAULT_NO_VECTOR 0xffu

struct fault {
    uint8_t vector;      /* FAULT_NO_VECTOR when nothing came */
    uint32_t error_code; /* 0 for exceptions that push none (F14.5) */
};

static inline bool fault_happened(struct fault fault)
{
    return fault.vector != FAULT_NO_VECTOR;
}

/* "#GP", "#UD", … ; "no exception" for FAULT_NO_VECTOR, "vector 200" style is left to the caller.
 */
const char *fault_name(struct fault fault);

#endif
