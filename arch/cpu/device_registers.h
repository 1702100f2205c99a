/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a device that are eight bits each and numbered from 0, wherever the board put
 * them: in ports or in memory, one after the other or with gaps, each read by an access of its own
 * width.
 */
#ifndef ARCH_CPU_DEVICE_REGISTERS_H
#define ARCH_CPU_DEVICE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/insn.h"

struct register_shape { /* bytes */
    uint8_t width;      /* of an access: 1, 2 or 4 */
    uint8_t stride;     /* from one register to the next, the width or more */
};

struct device_registers {
    uint64_t address;         /* of register 0: a port, or physical */
    volatile uint8_t *memory; /* where it is mapped; NULL: they are ports */
    struct register_shape shape;
};

static inline uint8_t device_read_port(const struct device_registers *device, unsigned number)
{
    uint16_t port = (uint16_t)(device->address + number * device->shape.stride);

    switch (device->shape.width) {
    case 4:
        return (uint8_t)insn_in32(port);
    case 2:
        return (uint8_t)insn_in16(port);
    default:
        return insn_in8(port);
    }
}

static inline void device_write_port(const struct device_registers *device, unsigned number,
                                     uint8_t value)
{
    uint16_t port = (uint16_t)(device->address + number * device->shape.stride);

    switch (device->shape.width) {
    case 4:
        insn_out32(port, value);
        break;
    case 2:
        insn_out16(port, value);
        break;
    default:
        insn_out8(port, value);
    }
}

/* The low byte; an access that nobody answers reads FFH. */
static inline uint8_t device_read(const struct device_registers *device, unsigned number)
{
    const volatile uint8_t *at = device->memory + (size_t)number * device->shape.stride;

    if (device->memory == NULL)
        return device_read_port(device, number);
    switch (device->shape.width) {
    case 4:
        return (uint8_t)insn_load32(at);
    case 2:
        return (uint8_t)insn_load16(at);
    default:
        return insn_load8(at);
    }
}

static inline void device_write(const struct device_registers *device, unsigned number,
                                uint8_t value)
{
    volatile uint8_t *at = device->memory + (size_t)number * device->shape.stride;

    if (device->memory == NULL) {
        device_write_port(device, number, value);
        return;
    }
    switch (device->shape.width) {
    case 4:
        insn_store32(at, value);
        break;
    case 2:
        insn_store16(at, value);
        break;
    default:
        insn_store8(at, value);
    }
}

#endif
