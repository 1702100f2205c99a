/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor's inventory number, PPIN, of which each package has its own (F14.18). */
#ifndef ARCH_CPU_IDENTITY_PPIN_H
#define ARCH_CPU_IDENTITY_PPIN_H

#include <stdint.h>

enum ppin {
    PPIN_ABSENT,
    PPIN_OFF,  /* there, but the firmware has not enabled it; it is left so */
    PPIN_READ, /* *number is set */
};

/* Reads the number of the running processor's package. Writes nothing. Intel's processors only. */
enum ppin ppin_read(uint64_t *number);

#endif
