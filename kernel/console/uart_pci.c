/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console/uart.h"

#include "arch/cpu/memory/paging.h"
#include "arch/lib/printf.h"
#include "boot/boot_info.h"
#include "kernel/machine/time.h"

#define VENDOR_INTEL      0x8086u
#define CLASS_SERIAL      0x0700u
#define CLASS_OTHER       0x0780u /* LPSS UARTs have it, and many other things */
#define INTERFACE_16550   0x02u
#define INTERFACE_LAST    0x06u /* 16950; each is a 16550 with more: F26.7a */
#define MEMORY_RESERVED   2u    /* type of a memory range (F11.33) that may hold devices */
#define LOW_MEMORY        0x100000u
#define REGISTERS_SIZE    32u /* bytes, of eight with the largest stride */
#define LPSS_SIZE         0x300u
#define LPSS_CLOCK        0x200u /* private registers: F26.10, F26.10a */
#define LPSS_RESETS       0x204u
#define LPSS_CAPABILITIES 0x2fcu
#define RESETS_FUNCTION   0x3u /* set: the UART is out of reset */
#define RESETS_ALL        0x7u
#define CAPABILITY_TYPE   0xf0u
#define CAPABILITY_UART   0x10u
#define CLOCK_ON          1u
#define CLOCK_M_SHIFT     1
#define CLOCK_N_SHIFT     16
#define CLOCK_FACTOR      0x7fffu
#define CLOCK_UPDATE      (1u << 31)
#define MEGAHERTZ         1000000u
#define WHY_SIZE          128u

/* Addresses of interrupt controllers in every PC. The chipset's devices, UARTs included, lie
 * between. */
static const struct place {
    uint64_t start, length;
} interrupt_places[] = {
    {0xfec00000, 0x100000}, /* I/O APICs */
    {0xfed00000, 0x4000},   /* HPETs */
    {0xfee00000, 0x100000}, /* local APICs, and messages to them */
};

/* Device ids of UARTs, and the clock before their divider in MHz (F26.11, F26.12 to F26.12b). */
static const struct lpss {
    uint16_t device;
    uint8_t megahertz;
} lpss_ids[] = {
    {0x02a8, 120}, {0x02a9, 120}, {0x02c7, 120}, /* Comet Lake LP */
    {0x06a8, 120}, {0x06a9, 120}, {0x06c7, 120}, /* Comet Lake H */
    {0xa3a7, 120}, {0xa3a8, 120}, {0xa3e6, 120}, /* Comet Lake V */
    {0x9d27, 120}, {0x9d28, 120}, {0x9d66, 120}, /* Sunrise Point LP: Skylake, Kaby Lake */
    {0xa127, 120}, {0xa128, 120}, {0xa166, 120}, /* Sunrise Point H */
    {0xa2a7, 120}, {0xa2a8, 120}, {0xa2e6, 120}, /* Union Point: Kaby Lake H */
    {0x9da8, 120}, {0x9da9, 120}, {0x9dc7, 120}, /* Cannon Point LP */
    {0xa328, 120}, {0xa329, 120}, {0xa347, 120}, /* Cannon Point H */
    {0x34a8, 120}, {0x34a9, 120}, {0x34c7, 120}, /* Ice Lake LP */
    {0x38a8, 120},                               /* Ice Lake N */
    {0x4da8, 120}, {0x4da9, 120}, {0x4dc7, 120}, /* Jasper Lake */
    {0x0abc, 100}, {0x0abe, 100}, {0x0ac0, 100}, {0x0aee, 100}, /* Broxton, first steppings */
    {0x1abc, 100}, {0x1abe, 100}, {0x1ac0, 100}, {0x1aee, 100}, /* Broxton */
    {0x5abc, 100}, {0x5abe, 100}, {0x5ac0, 100}, {0x5aee, 100}, /* Apollo Lake */
    {0x31bc, 100}, {0x31be, 100}, {0x31c0, 100}, {0x31ee, 100}, /* Gemini Lake */
    {0x1bad, 100}, {0x1bae, 100},                               /* Emmitsburg */
    {0x98a8, 100}, {0x98a9, 100}, {0x98c7, 100},                /* Lakefield */
    {0x4b28, 100}, {0x4b29, 100}, {0x4b4d, 100},                /* Elkhart Lake */
    {0xa0a8, 100}, {0xa0a9, 100}, {0xa0c7, 100}, {0xa0da, 100},
    {0xa0db, 100}, {0xa0dc, 100}, {0xa0dd, 100},                /* Tiger Lake LP */
    {0x43a7, 100}, {0x43a8, 100}, {0x43a9, 100}, {0x43da, 100}, /* Tiger Lake H */
    {0x51a8, 100}, {0x51a9, 100}, {0x51c7, 100},                /* Alder Lake P */
    {0x54a8, 100}, {0x54a9, 100}, {0x54c7, 100},                /* Alder Lake N */
    {0x7aa8, 100}, {0x7aa9, 100}, {0x7adc, 100}, {0x7afe, 100}, /* Alder Lake S */
    {0x7a28, 100}, {0x7a29, 100}, {0x7a5c, 100}, {0x7a7e, 100}, /* Raptor Lake S */
    {0x7e25, 100}, {0x7e26, 100}, {0x7e52, 100},                /* Meteor Lake */
    {0x7f28, 100}, {0x7f29, 100}, {0x7f5c, 100}, {0x7f5d, 100}, /* Arrow Lake S */
    {0x7725, 100}, {0x7726, 100}, {0x7752, 100},                /* Arrow Lake H */
    {0xa825, 100}, {0xa826, 100}, {0xa852, 100},                /* Lunar Lake */
    {0xe325, 100}, {0xe326, 100}, {0xe352, 100}, {0xe425, 100},
    {0xe426, 100}, {0xe452, 100},                /* Panther Lake */
    {0x4d25, 100}, {0x4d26, 100}, {0x4d52, 100}, /* Wildcat Lake */
    {0x6e28, 100}, {0x6e29, 100}, {0x6e5c, 100}, {0xd325, 100},
    {0xd326, 100}, {0xd352, 100}, /* Nova Lake */
};

/* Factors of the divider that turn the two clocks into UART_CLOCK. */
static const struct factors {
    uint8_t megahertz;
    uint16_t m, n;
} factors[] = {{120, 48, 3125}, {100, 288, 15625}};

static const char *complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *complain(const char *format, ...)
{
    static char why[WHY_SIZE];

    FORMAT_ARGUMENTS(why, sizeof(why), format);
    return why;
}

static const struct lpss *find_lpss(uint32_t ids)
{
    for (size_t i = 0; i < sizeof(lpss_ids) / sizeof(lpss_ids[0]); i++) {
        if (ids == ((uint32_t)lpss_ids[i].device << 16 | VENDOR_INTEL))
            return &lpss_ids[i];
    }
    return NULL;
}

enum uart_pci_kind uart_pci_kind(const struct pci_function *function)
{
    uint32_t class = pci_read(function, PCI_CLASS);
    uint32_t interface = class >> 8 & 0xffu;

    if (find_lpss(pci_read(function, PCI_IDS)) != NULL)
        return UART_PCI_LPSS;
    return class >> 16 == CLASS_SERIAL && interface >= INTERFACE_16550 &&
                   interface <= INTERFACE_LAST
               ? UART_PCI_16550
               : UART_PCI_NONE;
}

static bool overlaps(uint64_t address, size_t size, uint64_t start, uint64_t length)
{
    return address < start ? size > start - address : address - start < length;
}

/* Protects memory and interrupt controllers from writes because of a wrong table. */
static bool is_taken(uint64_t address, size_t size)
{
    for (size_t i = 0; i < boot_info.memory_count; i++) {
        const struct boot_memory_range *range = &boot_info.memory[i];

        if (range->type != MEMORY_RESERVED && overlaps(address, size, range->base, range->length))
            return true;
    }
    for (size_t i = 0; i < sizeof(interrupt_places) / sizeof(interrupt_places[0]); i++) {
        const struct place *place = &interrupt_places[i];

        if (overlaps(address, size, place->start, place->length))
            return true;
    }
    return address < LOW_MEMORY;
}

const char *uart_map(struct uart *uart, size_t size)
{
    uint64_t address = uart->registers.address;

    if (is_taken(address, size))
        return complain("at %#lx there is memory, or an interrupt controller",
                        (unsigned long)address);
    uart->registers.memory = paging_map_physical(address, size, PAGE_UNCACHED);
    return uart->registers.memory != NULL
               ? NULL
               : complain("%#lx is no physical address of this processor", (unsigned long)address);
}

static void set_clock(volatile uint8_t *registers, const struct lpss *lpss)
{
    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        uint32_t value = CLOCK_ON | (uint32_t)factors[i].m << CLOCK_M_SHIFT |
                         (uint32_t)factors[i].n << CLOCK_N_SHIFT;

        if (factors[i].megahertz != lpss->megahertz)
            continue;
        insn_store32(registers + LPSS_CLOCK, value | CLOCK_UPDATE);
        insn_store32(registers + LPSS_CLOCK, value);
    }
}

/* Hz after the divider; 0 if unknown. */
static uint32_t read_clock(volatile uint8_t *registers, const struct lpss *lpss)
{
    uint32_t value = insn_load32(registers + LPSS_CLOCK);
    uint32_t m = value >> CLOCK_M_SHIFT & CLOCK_FACTOR, n = value >> CLOCK_N_SHIFT & CLOCK_FACTOR;

    if (lpss == NULL || (value & CLOCK_ON) == 0 || m == 0 || m > n)
        return 0;
    return (uint32_t)((uint64_t)lpss->megahertz * MEGAHERTZ * m / n);
}

static const char *prepare_lpss(const struct lpss *lpss, struct uart_pci *out)
{
    volatile uint8_t *registers;
    const char *wrong = uart_map(&out->uart, LPSS_SIZE);

    if (wrong != NULL)
        return wrong;
    registers = out->uart.registers.memory;
    if ((insn_load32(registers + LPSS_CAPABILITIES) & CAPABILITY_TYPE) != CAPABILITY_UART)
        return "its capabilities say that it is no UART";
    if ((insn_load32(registers + LPSS_RESETS) & RESETS_FUNCTION) != RESETS_FUNCTION)
        insn_store32(registers + LPSS_RESETS, RESETS_ALL);
    if (lpss != NULL && read_clock(registers, lpss) == 0)
        set_clock(registers, lpss);
    out->uart.clock = read_clock(registers, lpss);
    out->shapes[out->shape_count++] = (struct register_shape){4, 4};
    return NULL;
}

/* Tries byte registers first, because on other hardware they touch no other port's register. */
static const char *prepare_16550(bool in_memory, struct uart_pci *out)
{
    out->uart.clock = UART_CLOCK;
    out->shapes[out->shape_count++] = (struct register_shape){1, 1};
    if (!in_memory)
        return NULL;
    out->shapes[out->shape_count++] = (struct register_shape){4, 4};
    return uart_map(&out->uart, REGISTERS_SIZE);
}

static void rest(uint64_t microseconds)
{
    for (struct wait wait = time_wait(microseconds); wait_goes_on(&wait);)
        insn_pause();
}

void uart_pci_wake(const struct pci_function *function)
{
    pci_wake(function, rest);
}

static bool may_be_lpss(uint32_t ids, uint32_t class)
{
    return (ids & 0xffffu) == VENDOR_INTEL && class >> 16 == CLASS_OTHER;
}

const char *uart_pci_prepare(const struct pci_function *function, bool by_hand,
                             struct uart_pci *out)
{
    uint32_t ids = pci_read(function, PCI_IDS), class = pci_read(function, PCI_CLASS);
    enum uart_pci_kind kind = uart_pci_kind(function);
    struct pci_bar bar;

    *out = (struct uart_pci){0};
    if (kind == UART_PCI_NONE && by_hand && may_be_lpss(ids, class))
        kind = UART_PCI_LPSS;
    if (kind == UART_PCI_NONE)
        return complain("it is no 16550: class %04x, programming interface %02x", class >> 16,
                        class >> 8 & 0xffu);
    if (!pci_first_bar(function, &bar))
        return "the firmware gave it no address";
    uart_pci_wake(function);
    out->uart.registers.address = bar.address;
    if (kind == UART_PCI_LPSS)
        return bar.in_memory ? prepare_lpss(find_lpss(ids), out) : "its registers are ports";
    return prepare_16550(bar.in_memory, out);
}
