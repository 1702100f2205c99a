/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/ground/device_registers.h"
#include <stddef.h>
#include "arch/cpu/ground/insn.h"

static uint8_t read_port(const struct device_registers *device, unsigned number)
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

static void write_port(const struct device_registers *device, unsigned number, uint8_t value)
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

uint8_t device_read(const struct device_registers *device, unsigned number)
{
    const volatile uint8_t *at;

    if (device->memory == NULL)
        return read_port(device, number);
    at = device->memory + (size_t)number * device->shape.stride;
    switch (device->shape.width) {
    case 4:
        return (uint8_t)insn_load32(at);
    case 2:
        return (uint8_t)insn_load16(at);
    default:
        return insn_load8(at);
    }
}

void device_write(const struct device_registers *device, unsigned number, uint8_t value)
{
    volatile uint8_t *at;

    if (device->memory == NULL) {
        write_port(device, number, value);
        return;
    }
    at = device->memory + (size_t)number * device->shape.stride;
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
