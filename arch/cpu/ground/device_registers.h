/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a device that are eight bits each and numbered from 0, wherever the board put
 * them: in ports or in memory, one after the other or with gaps, each read by an access of its own
 * width.
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

/* The low byte; an access that nobody answers reads FFH. */
uint8_t device_read(const struct device_registers *device, unsigned number);
void device_write(const struct device_registers *device, unsigned number, uint8_t value);

#endif
