/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses that return the exception they raise (F14.15). */
#ifndef ARCH_CPU_GROUND_PROBE_H
#define ARCH_CPU_GROUND_PROBE_H

#include <stdint.h>
#include "arch/cpu/ground/exception.h"

/* Reads one byte; *value stays unchanged after an exception. */
struct exception probe_read(const void *address, uint8_t *value);

/* Writes one byte. */
struct exception probe_write(void *address, uint8_t value);

/* Calls the address. If it is executable, a RET must lie there. */
struct exception probe_execute(const void *address);

/* Executes INT1, which raises #DB on a processor and #UD in QEMU's TCG. */
struct exception probe_int1(void);

void probe_execute_fixup(void); /* fixup.c continues here after a faulting fetch */

#endif
