/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/tables/acpi.h"
#include "arch/lib/printf.h"

#define TABLE_REVISION 8u /* in the header of any table */

#define SPCR_INTERFACE      36u /* places of F26.1 */
#define SPCR_ADDRESS        40u
#define SPCR_RATE           58u
#define SPCR_PCI_DEVICE     64u
#define SPCR_PCI_VENDOR     66u
#define SPCR_PCI_BUS        68u
#define SPCR_PCI_SLOT       69u
#define SPCR_PCI_FUNCTION   70u
#define SPCR_PCI_SEGMENT    75u
#define SPCR_CLOCK          76u
#define SPCR_PRECISE_RATE   80u
#define SPCR_SIZE           80u
#define SPCR_SIZE_4         84u /* with the precise rate */
#define SPCR_PRECISE        4u  /* the first revision that has it */
#define SPCR_CLOCK_REVISION 3u  /* below it the clock's place is reserved */
#define NO_PCI              0xffffu

#define DBG2_OFFSET    36u /* places of F26.4 */
#define DBG2_COUNT     40u
#define DBG2_SIZE      44u
#define PORT_LENGTH    1u /* in the description of a port: */
#define PORT_ADDRESSES 3u
#define PORT_TYPE      12u
#define PORT_SUBTYPE   14u
#define PORT_ADDRESS   18u
#define PORT_SIZE      22u
#define PORT_SERIAL    0x8000u

#define KIND_16550      0x00u /* interface types, subtypes: F26.5 */
#define KIND_SUBSET     0x01u
#define KIND_DESCRIBED  0x12u /* a 16550 as the generic address describes it */
#define KIND_LPSS       0x14u
#define KINDS_SINCE     2u /* revision of the SPCR from which it has more than the first two */
#define GENERIC_SIZE    12u
#define GENERIC_WIDTH   1u /* in a generic address, F26.2: bits of a register */
#define GENERIC_OFFSET  2u /* bits */
#define GENERIC_ACCESS  3u /* 1: bytes, 2: 16 bits, 3: 32 bits, 4: 64 bits; 0: not said */
#define GENERIC_ADDRESS 4u
#define ACCESS_WIDEST   3u

#define REGISTERS   8u
#define PORT_LOWEST 0x100u /* below are the mainboard's own devices */
#define PORTS       0x10000u

static const char *complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *complain(const char *format, ...)
{
    static char why[96];
    FORMAT_ARGUMENTS(why, sizeof(why), format);
    return why;
}

static void add_shape(struct acpi_uart *out, unsigned width, unsigned stride)
{
    for (unsigned i = 0; i < out->shape_count; i++)
        if (out->shapes[i].width == width && out->shapes[i].stride == stride)
            return;
    out->shapes[out->shape_count++] =
        (struct register_shape){.width = (uint8_t)width, .stride = (uint8_t)stride};
}

static bool is_register_width(unsigned bits)
{
    return bits == 8 || bits == 16 || bits == 32;
}

/*
 * Tables differ in the meaning of width and access size. The stride is the access size, or the
 * register width if that is larger. Ports are always bytes.
 */
static const char *read_shapes(const uint8_t *generic, struct acpi_uart *out)
{
    unsigned bits = generic[GENERIC_WIDTH], access = generic[GENERIC_ACCESS];
    if (generic[GENERIC_OFFSET] != 0)
        return complain("its registers begin at bit %u", generic[GENERIC_OFFSET]);
    if (access > ACCESS_WIDEST)
        return complain("its access size %u is no 16550's", access);
    if (out->is_lpss || !out->in_memory)
        add_shape(out, out->is_lpss ? 4 : 1, out->is_lpss ? 4 : 1);
    if (out->is_lpss)
        return NULL;
    if (access == 0 && !is_register_width(bits))
        return out->in_memory ? complain("it says neither access size nor width (%u)", bits) : NULL;
    unsigned width = access == 0 ? bits / 8 : 1u << (access - 1);
    add_shape(out, width, width);
    if (is_register_width(bits) && bits / 8 > width)
        add_shape(out, width, bits / 8);
    return NULL;
}

static uint64_t last_byte(const struct acpi_uart *out)
{
    unsigned stride = 1;
    for (unsigned i = 0; i < out->shape_count; i++)
        if (out->shapes[i].stride > stride)
            stride = out->shapes[i].stride;
    return REGISTERS * stride - 1u;
}

static const char *check_address(const struct acpi_uart *out)
{
    if (out->address == 0)
        return out->is_pci ? NULL : "its address is 0: the firmware uses none";
    if (out->address % REGISTERS != 0)
        return complain("its address 0x%lx is no multiple of 8", (unsigned long)out->address);
    if (!out->in_memory && (out->address < PORT_LOWEST || out->address >= PORTS - last_byte(out)))
        return complain("its port 0x%lx is none that a UART has", (unsigned long)out->address);
    return NULL;
}

static const char *read_place(unsigned kind, const uint8_t *generic, struct acpi_uart *out)
{
    if (kind != KIND_16550 && kind != KIND_SUBSET && kind != KIND_DESCRIBED && kind != KIND_LPSS)
        return complain("its interface 0x%02x is no 16550", kind);
    if (generic[0] != ACPI_SPACE_MEMORY && generic[0] != ACPI_SPACE_PORT)
        return complain("its address space %u is neither memory nor ports", generic[0]);
    out->in_memory = generic[0] == ACPI_SPACE_MEMORY;
    out->is_lpss = kind == KIND_LPSS;
    out->address = acpi_number(generic + GENERIC_ADDRESS, 8);
    if (out->is_lpss && !out->in_memory)
        return "an Intel LPSS UART in ports: there is none";
    const char *wrong = read_shapes(generic, out);
    return wrong != NULL ? wrong : check_address(out);
}

/* Any other code keeps the firmware's rate. */
static uint32_t rate_of_code(uint8_t code)
{
    switch (code) {
    case 3:
        return 9600;
    case 4:
        return 19200;
    case 6:
        return 57600;
    case 7:
        return 115200;
    default:
        return 0;
    }
}

static void read_rate(const uint8_t *table, size_t length, struct acpi_uart *out)
{
    out->says_rate = true;
    out->rate = rate_of_code(table[SPCR_RATE]);
    if (table[TABLE_REVISION] >= SPCR_CLOCK_REVISION)
        out->clock = (uint32_t)acpi_number(table + SPCR_CLOCK, 4);
    if (table[TABLE_REVISION] < SPCR_PRECISE || length < SPCR_SIZE_4)
        return;
    uint32_t precise = (uint32_t)acpi_number(table + SPCR_PRECISE_RATE, 4);
    if (precise != 0)
        out->rate = precise;
}

/* Ports reach only segment 0. */
static void read_pci(const uint8_t *table, struct acpi_uart *out)
{
    out->pci_device = (uint16_t)acpi_number(table + SPCR_PCI_DEVICE, 2);
    out->pci_vendor = (uint16_t)acpi_number(table + SPCR_PCI_VENDOR, 2);
    out->pci = (struct pci_function){.bus = table[SPCR_PCI_BUS],
                                     .device = table[SPCR_PCI_SLOT],
                                     .function = table[SPCR_PCI_FUNCTION]};
    out->is_pci = out->pci_device != NO_PCI && out->pci_vendor != NO_PCI &&
                  table[SPCR_PCI_SEGMENT] == 0 && out->pci.device < PCI_DEVICES &&
                  out->pci.function < PCI_FUNCTIONS;
}

const char *acpi_parse_spcr(const uint8_t *table, size_t length, struct acpi_uart *out)
{
    *out = (struct acpi_uart){0};
    if (length < SPCR_SIZE)
        return complain("it is too short, %zu bytes", length);
    unsigned kind = table[SPCR_INTERFACE], revision = table[TABLE_REVISION];
    if (revision < KINDS_SINCE && kind > KIND_SUBSET)
        return complain("its interface 0x%02x is unknown in revision %u", kind, revision);
    read_rate(table, length, out);
    read_pci(table, out);
    return read_place(kind, table + SPCR_ADDRESS, out);
}

/* Reads one port; room: bytes from it to the end of the table. */
static const char *read_port(const uint8_t *port, size_t room, struct acpi_uart *out)
{
    *out = (struct acpi_uart){0};
    size_t length = (size_t)acpi_number(port + PORT_LENGTH, 2);
    size_t generic = (size_t)acpi_number(port + PORT_ADDRESS, 2);
    unsigned type = (unsigned)acpi_number(port + PORT_TYPE, 2);
    if (length < PORT_SIZE || length > room)
        return complain("a port's description has an impossible length, %zu", length);
    if (type != PORT_SERIAL)
        return complain("its port of type 0x%04x is no serial one", type);
    if (port[PORT_ADDRESSES] == 0)
        return "a port without an address";
    if (generic < PORT_SIZE || generic > length || length - generic < GENERIC_SIZE)
        return complain("a port's address lies outside its description, at %zu", generic);
    return read_place((unsigned)acpi_number(port + PORT_SUBTYPE, 2), port + generic, out);
}

/* Takes the first usable port; if there is none, returns what is wrong with the first. */
const char *acpi_parse_dbg2(const uint8_t *table, size_t length, struct acpi_uart *out)
{
    static char first[96];
    *out = (struct acpi_uart){0};
    if (length < DBG2_SIZE)
        return complain("it is too short, %zu bytes", length);
    uint64_t at = acpi_number(table + DBG2_OFFSET, 4);
    uint64_t count = acpi_number(table + DBG2_COUNT, 4);
    format_string(first, sizeof(first), "it lists no port");
    for (uint64_t i = 0; i < count; i++) {
        if (at < DBG2_SIZE || at > length || length - at < PORT_SIZE)
            return i == 0 ? complain("its ports begin outside of it, at %lu", (unsigned long)at)
                          : first;
        const char *wrong = read_port(table + at, (size_t)(length - at), out);
        if (wrong == NULL)
            return NULL;
        if (i == 0)
            format_string(first, sizeof(first), "%s", wrong);
        uint64_t size = acpi_number(table + at + PORT_LENGTH, 2);
        if (size < PORT_SIZE)
            return first;
        at += size;
    }
    return first;
}
