/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/usb_handover.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/ground/pci.h"
#include "arch/lib/printf.h"
#include "kernel/machine/smis.h"
#include "kernel/machine/time.h"

#define NAME_SIZE          32u
#define OWNER_MICROSECONDS 1000000u /* for the firmware to release one */
#define MEMORY_SIZE        0x10000u /* of a controller's registers, the capabilities too */

#define CLASS_USB 0x0c0300u /* with the kind in its lowest byte */

#define UHCI_LEGACY       0xc0u
#define UHCI_STATUS_CLEAR 0x8f00u /* and no event that makes an SMI */

#define OHCI_CONTROL    0x04u
#define OHCI_COMMAND    0x08u
#define OHCI_BY_SMI     (1u << 8) /* HcControl.IR: firmware has it */
#define OHCI_WAKES      (1u << 9) /* HcControl.RWC */
#define OHCI_ASKS_OWNER (1u << 3) /* HcCommandStatus.OCR */

#define EHCI_PARAMETERS 0x08u
#define XHCI_PARAMETERS 0x10u

/* EHCI and xHCI have the legacy support capability: owner bits, then SMI enables. */
#define CAPABILITY_LEGACY 1u
#define CAPABILITIES_MOST 64u /* ends a list that loops */
#define OWNER_FIRMWARE    (1u << 16)
#define OWNER_SYSTEM      (1u << 24)
#define XHCI_KEPT         0x000e1feeu /* of its SMI enables and status: reserved */
#define XHCI_STATUS_CLEAR 0xe0000000u

/* A controller's configuration space or memory. */
struct controller {
    struct pci_function function;
    volatile uint8_t *memory; /* NULL: UHCI, and EHCI's capabilities */
};

static struct report {
    void (*before)(const char *name);
    char *text;
    size_t size;
    unsigned count;
} report;

static uint32_t read_at(const struct controller *at, unsigned offset)
{
    return at->memory ? insn_load32(at->memory + offset) : pci_read(&at->function, offset);
}

static void write_at(const struct controller *at, unsigned offset, uint32_t value)
{
    if (at->memory)
        insn_store32(at->memory + offset, value);
    else
        pci_write(&at->function, offset, value);
}

/* Waits for the bits to clear; false if they do not in time. */
static bool becomes_clear(const struct controller *at, unsigned offset, uint32_t bits)
{
    struct wait wait = time_wait(OWNER_MICROSECONDS);

    while (read_at(at, offset) & bits)
        if (!wait_goes_on(&wait))
            return false;
    return true;
}

/* Firmware may hang if it is asked for a controller that it does not own. */
static bool take_legacy(const struct controller *at, unsigned offset)
{
    uint32_t owners = read_at(at, offset);
    bool lets_go;

    if (!(owners & OWNER_FIRMWARE))
        return true;
    write_at(at, offset, owners | OWNER_SYSTEM);
    lets_go = becomes_clear(at, offset, OWNER_FIRMWARE);
    if (!lets_go)
        write_at(at, offset, read_at(at, offset) & ~OWNER_FIRMWARE);
    return lets_go;
}

static bool take_ehci(const struct controller *at)
{
    struct controller space = {.function = at->function};
    unsigned offset = read_at(at, EHCI_PARAMETERS) >> 8 & 0xfcu;
    bool lets_go = true;

    for (unsigned i = 0; offset >= 0x40 && i < CAPABILITIES_MOST; i++) {
        uint32_t capability = read_at(&space, offset);

        if ((capability & 0xff) == CAPABILITY_LEGACY) {
            lets_go &= take_legacy(&space, offset);
            write_at(&space, offset + 4, 0);
        }
        offset = capability >> 8 & 0xfcu;
    }
    return lets_go;
}

static bool take_xhci(const struct controller *at)
{
    unsigned offset = (read_at(at, XHCI_PARAMETERS) >> 16) * 4;
    bool lets_go = true;

    for (unsigned i = 0; offset && offset < MEMORY_SIZE - 8 && i < CAPABILITIES_MOST; i++) {
        uint32_t capability = read_at(at, offset), step = (capability >> 8 & 0xff) * 4;

        if ((capability & 0xff) == CAPABILITY_LEGACY) {
            lets_go &= take_legacy(at, offset);
            write_at(at, offset + 4, (read_at(at, offset + 4) & XHCI_KEPT) | XHCI_STATUS_CLEAR);
        }
        offset = step ? offset + step : 0;
    }
    return lets_go;
}

static bool take_ohci(const struct controller *at)
{
    bool lets_go;

    if (!(read_at(at, OHCI_CONTROL) & OHCI_BY_SMI))
        return true;
    write_at(at, OHCI_COMMAND, OHCI_ASKS_OWNER);
    lets_go = becomes_clear(at, OHCI_CONTROL, OHCI_BY_SMI);
    if (!lets_go)
        write_at(at, OHCI_CONTROL, read_at(at, OHCI_CONTROL) & OHCI_WAKES);
    return lets_go;
}

static bool take_uhci(const struct controller *at)
{
    uint32_t beside = read_at(at, UHCI_LEGACY) & 0xffff0000u;

    write_at(at, UHCI_LEGACY, beside | UHCI_STATUS_CLEAR);
    return true;
}

static const struct kind {
    uint8_t interface;
    bool in_memory;
    unsigned pass;
    const char *name;
    bool (*take)(const struct controller *at);
} kinds[] = {
    {0x00, false, 1, "UHCI", take_uhci},
    {0x10, true, 1, "OHCI", take_ohci},
    {0x20, true, 0, "EHCI", take_ehci},
    {0x30, true, 0, "xHCI", take_xhci},
};

/* Controllers that have the ports come first: firmware that releases one may turn to others. */
#define PASSES 2u

/* Maps the registers; false if the function sleeps or has no address. */
static bool open(struct controller *at, const struct kind *kind)
{
    struct pci_bar bar;

    if (!pci_is_awake(&at->function))
        return false;
    if (!kind->in_memory)
        return true;
    if (!pci_first_bar(&at->function, &bar) || !bar.in_memory)
        return false;
    at->memory = paging_map_physical(bar.address, MEMORY_SIZE, PAGE_UNCACHED);
    return at->memory;
}

static void take(const struct pci_function *function, const struct kind *kind)
{
    struct controller at = {.function = *function};
    char name[NAME_SIZE];

    if (!open(&at, kind))
        return;
    format_string(name, sizeof name, "%s %02x:%02x.%x", kind->name, function->bus, function->device,
                  function->function);
    report.before(name);
    format_append(report.text, report.size, "%s%s%s", report.count++ ? ", " : "", name,
                  kind->take(&at) ? "" : " (by force)");
}

static bool visit(const struct pci_function *function, void *pass)
{
    uint32_t class = pci_read(function, PCI_CLASS) >> 8;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].pass == *(unsigned *)pass && class == (CLASS_USB | kinds[i].interface))
            take(function, &kinds[i]);
    return false;
}

static bool firmware_raises_smis(void)
{
    enum firmware_smis smis = firmware_smis();

    return smis == SMIS_NOT_COUNTED ? !feature_present(FEATURE_HYPERVISOR) : smis == SMIS_COME;
}

char *usb_handover(void (*before)(const char *name), char *text, size_t size)
{
    text[0] = '\0';
    report = (struct report){.before = before, .text = text, .size = size};
    if (!firmware_raises_smis())
        return text;
    for (unsigned pass = 0; pass < PASSES; pass++)
        pci_find(visit, &pass);
    return text;
}
