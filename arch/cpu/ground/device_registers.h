/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device's registers of eight bits each, numbered from 0, in ports or in memory, adjacent or with
 * gaps, and accessed at a given width.
 */
#ifndef ARCH_CPU_GROUND_DEVICE_REGISTERS_H
#define ARCH_CPU_GROUND_DEVICE_REGISTERS_H

#include <stdint.h>

struct register_shape { /* bytes */
    uint8_t width;      /* of an access: 1, 2 or 4 */
    uint8_t stride;     /* from one register to the next, the width or more */
};

struct device_registers {
    uint64_t address;         /* of register 0: a port, or physical */
    volatile uint8_t *memory; /* where it is mapped; NULL: they are ports */
    struct register_shape shape;
};

/* Read and write the low byte of register `number`. If nothing answers, a read gives FFH. */
uint8_t device_read(const struct device_registers *device, unsigned number);
void device_write(const struct device_registers *device, unsigned number, uint8_t value);

#endif
