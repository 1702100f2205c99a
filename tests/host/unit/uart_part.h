/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up UART in ports or in memory. It replaces the insn_* accesses of the processor, so a unit
 * test includes this before the sources under test. */
#ifndef TESTS_HOST_UNIT_UART_PART_H
#define TESTS_HOST_UNIT_UART_PART_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define DLAB_BIT 0x80
#define LOOP_BIT 0x10

#define REGISTERS 8u
#define MEMORY    4096u

/* The made-up board's UART. */
static struct part {
    uint64_t base; /* first port, or index of memory[] */
    bool in_memory;
    unsigned width, stride; /* bytes; 0 means 1. Other widths change nothing and read 0 */
    bool absent, no_fifo, loop_broken, stuck, vanished;
    unsigned queued;         /* bytes in the transmitter */
    unsigned looks;          /* reads of the line status */
    unsigned stuck_after;    /* bytes; then the transmitter never empties again */
    unsigned vanishes_after; /* bytes; then every register reads FFH */
    unsigned overruns;
    uint64_t byte_ticks, quick_ticks; /* TSC ticks of a byte through the loopback; of a quick one */
    unsigned loops, quick_at; /* bytes through the loopback; number, from 0, of the quick one */
    uint8_t stuck_bits;       /* data lines that read 0 */
    unsigned foreign;         /* accesses outside its registers */
    unsigned busy;    /* ignores writes of line control until its FIFOs were cleared so often */
    unsigned busy_at; /* … but takes so many of these writes first */
    uint8_t scratch, line, modem, looped, divisor[2], interrupts;
    bool has_looped;
    char sent[4096];
    unsigned sent_count;
} part;

static uint8_t memory[MEMORY];
static uint64_t now; /* TSC */

static void send(uint8_t byte)
{
    unsigned capacity = part.no_fifo ? 1 : 16;

    if (part.queued == capacity)
        part.overruns++;
    else
        part.queued++;
    part.sent[part.sent_count++ % sizeof(part.sent)] = (char)byte;
    part.stuck = part.stuck_after != 0 && part.sent_count >= part.stuck_after;
    part.vanished = part.vanishes_after != 0 && part.sent_count >= part.vanishes_after;
}

/* A transmitter that works empties itself between two looks. */
static uint8_t line_status(void)
{
    uint8_t status = part.queued == 0 ? 0x60 : 0;

    part.looks++;
    if (!part.stuck)
        part.queued = 0;
    return status | part.has_looped;
}

static uint8_t read_data(void)
{
    if ((part.line & DLAB_BIT) != 0)
        return part.divisor[0];
    part.has_looped = false;
    return part.looped;
}

static uint8_t read_register(unsigned number)
{
    switch (number) {
    case 0:
        return read_data();
    case 1:
        return (part.line & DLAB_BIT) != 0 ? part.divisor[1] : part.interrupts;
    case 2:
        return part.no_fifo ? 0x01 : 0xc1;
    case 3:
        return part.line;
    case 5:
        return line_status();
    case 7:
        return part.scratch;
    }
    return 0;
}

static void write_data(uint8_t value)
{
    if ((part.line & DLAB_BIT) != 0) {
        part.divisor[0] = value;
        return;
    }
    if ((part.modem & LOOP_BIT) == 0) {
        send(value);
        return;
    }
    part.looped = value & (uint8_t)~part.stuck_bits;
    now += part.loops++ == part.quick_at ? part.quick_ticks : part.byte_ticks;
    part.has_looped = !part.loop_broken;
}

static void write_line_control(uint8_t value)
{
    bool ignores = part.busy_at == 0 && part.busy > 0;

    part.busy_at -= part.busy_at > 0;
    if (!ignores)
        part.line = value;
}

static void write_register(unsigned number, uint8_t value)
{
    if (number == 0)
        write_data(value);
    else if (number == 1 && (part.line & DLAB_BIT) != 0)
        part.divisor[1] = value;
    else if (number == 1)
        part.interrupts = value;
    else if (number == 2 && part.busy_at == 0 && part.busy != UINT_MAX)
        part.busy -= part.busy > 0;
    else if (number == 3)
        write_line_control(value);
    else if (number == 4)
        part.modem = value;
    else if (number == 7)
        part.scratch = value;
}

/* The number of the register that an access means, or REGISTERS: none. */
static unsigned number_of(uint64_t at, unsigned width)
{
    unsigned stride = part.stride == 0 ? 1 : part.stride;
    uint64_t offset = at - part.base;

    if (at < part.base || offset >= (uint64_t)stride * REGISTERS)
        part.foreign++;
    if (at < part.base || offset >= (uint64_t)stride * REGISTERS || offset % stride != 0 ||
        width != (part.width == 0 ? 1 : part.width))
        return REGISTERS;
    return (unsigned)(offset / stride);
}

static uint32_t read_at(uint64_t at, unsigned width)
{
    unsigned number = number_of(at, width);

    if (part.absent || part.vanished)
        return UINT32_MAX;
    return number == REGISTERS ? 0 : 0xabcdef00u | read_register(number);
}

static void write_at(uint64_t at, unsigned width, uint32_t value)
{
    unsigned number = number_of(at, width);

    if (number != REGISTERS && !part.vanished)
        write_register(number, (uint8_t)value);
}

static uint64_t port_at(uint16_t port)
{
    part.foreign += part.in_memory;
    return port;
}

static uint64_t memory_at(const volatile void *address)
{
    part.foreign += !part.in_memory;
    return (uint64_t)((const volatile uint8_t *)address - memory);
}

#define ACCESSES(bits, in, out, load, store)                                                       \
    static uint##bits##_t in(uint16_t port)                                                        \
    {                                                                                              \
        return (uint##bits##_t)read_at(port_at(port), bits / 8);                                   \
    }                                                                                              \
    static inline void out(uint16_t port, uint##bits##_t value)                                    \
    {                                                                                              \
        write_at(port_at(port), bits / 8, value);                                                  \
    }                                                                                              \
    static inline uint##bits##_t load(const volatile void *address)                                \
    {                                                                                              \
        return (uint##bits##_t)read_at(memory_at(address), bits / 8);                              \
    }                                                                                              \
    static inline void store(volatile void *address, uint##bits##_t value)                         \
    {                                                                                              \
        write_at(memory_at(address), bits / 8, value);                                             \
    }

ACCESSES(8, insn_in8, insn_out8, insn_load8, insn_store8)
ACCESSES(16, insn_in16, insn_out16, insn_load16, insn_store16)
ACCESSES(32, insn_in32, insn_out32, insn_load32, insn_store32)

static uint64_t insn_rdtsc(void)
{
    return now;
}

#endif
