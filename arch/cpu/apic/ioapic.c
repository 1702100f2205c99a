/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/device_interrupts.h"
#include <stddef.h>
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/ground/percpu.h"

#define IOAPIC_SELECT  0x00 /* byte offsets of the two registers in memory */
#define IOAPIC_WINDOW  0x10
#define IOAPIC_SIZE    0x20u
#define IOAPIC_VERSION 0x01 /* numbers behind them */
#define IOAPIC_PINS    0x10 /* two a pin, the low half first */

#define PIN_ACTIVE_LOW        (1u << 13)
#define PIN_LEVEL             (1u << 15)
#define PIN_MASKED            (1u << 16)
#define PIN_DELIVERY_SHIFT    8
#define PIN_DESTINATION_SHIFT 24
#define XAPIC_ID_LARGEST      0xfeu
#define PIN_NONE              UINT32_MAX

static volatile uint8_t *registers;
static struct acpi_madt madt;
static uint32_t pins;

static uint32_t ioapic_read(uint32_t number)
{
    *(volatile uint32_t *)(registers + IOAPIC_SELECT) = number;
    return *(volatile uint32_t *)(registers + IOAPIC_WINDOW);
}

static void ioapic_write(uint32_t number, uint32_t value)
{
    *(volatile uint32_t *)(registers + IOAPIC_SELECT) = number;
    *(volatile uint32_t *)(registers + IOAPIC_WINDOW) = value;
}

/* The low half holds the mask, so it is written last to open a pin, and first otherwise. */
static void pin_write(uint32_t pin, uint32_t low, uint32_t high)
{
    ioapic_write(IOAPIC_PINS + 2 * pin, PIN_MASKED);
    ioapic_write(IOAPIC_PINS + 2 * pin + 1, high);
    ioapic_write(IOAPIC_PINS + 2 * pin, low);
}

static bool pin_raises_smi(uint32_t pin)
{
    return entry_raises_smi(ioapic_read(IOAPIC_PINS + 2 * pin));
}

static void mask_all(void)
{
    for (uint32_t pin = 0; pin < pins; pin++) {
        uint32_t entry = ioapic_read(IOAPIC_PINS + 2 * pin);

        if (entry_raises_smi(entry))
            firmware_lvt_note("I/O APIC pin", pin, entry);
        else
            pin_write(pin, PIN_MASKED, 0);
    }
}

static uint32_t pin_of(uint8_t irq)
{
    if (registers == NULL || irq >= ACPI_ISA_IRQ_COUNT ||
        madt.isa[irq].gsi < madt.ioapic_gsi_base ||
        madt.isa[irq].gsi - madt.ioapic_gsi_base >= pins)
        return PIN_NONE;
    return madt.isa[irq].gsi - madt.ioapic_gsi_base;
}

const char *ioapic_init(void)
{
    const char *wrong = acpi_read_madt(&madt);
    if (wrong != NULL)
        return wrong;
    if (!madt.has_ioapic)
        return "the MADT lists no I/O APIC";
    registers = paging_map_physical(madt.ioapic_physical, IOAPIC_SIZE, PAGE_UNCACHED);
    if (registers == NULL)
        return "the I/O APIC's registers cannot be mapped";
    uint32_t version = ioapic_read(IOAPIC_VERSION);
    if (version == UINT32_MAX) {
        registers = NULL;
        return "nothing answers at the I/O APIC's address";
    }
    pins = (version >> 16 & 0xff) + 1;
    mask_all();
    return NULL;
}

const char *ioapic_route_isa(uint8_t irq, enum apic_delivery delivery, uint8_t vector)
{
    uint32_t pin = pin_of(irq);
    uint32_t id = this_cpu()->apic_id;
    if (pin == PIN_NONE)
        return "the first I/O APIC has no pin for this interrupt";
    if (pin_raises_smi(pin))
        return "the firmware has this interrupt raise SMIs";
    if (id > XAPIC_ID_LARGEST)
        return "this processor's APIC ID does not fit an I/O APIC entry";
    const struct acpi_isa_route *route = &madt.isa[irq];
    uint32_t low = (uint32_t)delivery << PIN_DELIVERY_SHIFT;
    if (route->active_low)
        low |= PIN_ACTIVE_LOW;
    if (delivery == APIC_DELIVERY_FIXED)
        low |= vector | (route->level ? PIN_LEVEL : 0);
    pin_write(pin, low, id << PIN_DESTINATION_SHIFT);
    return NULL;
}

void ioapic_mask_isa(uint8_t irq)
{
    uint32_t pin = pin_of(irq);
    if (pin != PIN_NONE && !pin_raises_smi(pin))
        pin_write(pin, PIN_MASKED, 0);
}
