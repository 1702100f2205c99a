/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An exception, or none, as a value. Accessors with a fixup return it. */
#ifndef ARCH_CPU_GROUND_EXCEPTION_H
#define ARCH_CPU_GROUND_EXCEPTION_H

#include <stdbool.h>
#include <stdint.h>

#define EXCEPTION_NO_VECTOR 0xffu

struct exception {
    uint8_t vector;      /* EXCEPTION_NO_VECTOR when nothing came */
    uint32_t error_code; /* 0 for exceptions that push none (F14.5) */
};

static inline bool exception_happened(struct exception exception)
{
    return exception.vector != EXCEPTION_NO_VECTOR;
}

/* "#GP", "#UD", …; "no exception" for EXCEPTION_NO_VECTOR. */
const char *exception_name(struct exception exception);

/* Accesses that return the exception they raise (F14.15). */

/* Reads one byte; *value stays unchanged after an exception. */
struct exception probe_read(const void *address, uint8_t *value);

/* Writes one byte. */
struct exception probe_write(void *address, uint8_t value);

/* Calls the address, where a RET must lie if the page is executable. */
struct exception probe_execute(const void *address);

/* Executes INT1, which raises #DB on a processor and #UD in QEMU's TCG. */
struct exception probe_int1(void);

void probe_execute_fixup(void); /* interrupts.c continues here after a faulting fetch */

#endif
