/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/tables/acpi.h"

#define RSDP_V1_SIZE        20u /* of revision 0: F11.20 */
#define RSDP_V2_SIZE        36u
#define RSDP_REVISION       15u
#define RSDP_RSDT           16u
#define RSDP_XSDT           24u
#define TABLE_LENGTH        4u  /* in the header of any table: F11.21 */
#define MADT_FLAGS          40u /* of the APIC table: F11.22 */
#define MADT_ENTRIES        44u
#define MADT_HAS_8259       1u
#define MADT_HEAD           2u /* of an entry: its type, its length */
#define MADT_PROCESSOR      0u
#define MADT_PROCESSOR_SIZE 8u
#define MADT_X2APIC         9u
#define MADT_X2APIC_SIZE    16u
#define MADT_WAKEUP         16u
#define MADT_WAKEUP_SIZE    16u
#define PROCESSOR_ENABLED   1u
#define MADT_IOAPIC         1u
#define MADT_IOAPIC_SIZE    12u
#define MADT_OVERRIDE       2u
#define MADT_OVERRIDE_SIZE  10u
#define POLARITY_LOW        3u /* of an override's flags, bits 1:0 */
#define TRIGGER_LEVEL       3u /* bits 3:2 */
#define FADT_DSDT           40u
#define FADT_SMI_COMMAND    48u /* of the fixed table: F11.24 */
#define FADT_ENABLE         52u
#define FADT_DISABLE        53u
#define FADT_S4BIOS         54u
#define FADT_PSTATE         55u
#define FADT_PM1A_EVENT     56u
#define FADT_PM1A_CONTROL   64u
#define FADT_PM1B_CONTROL   68u
#define FADT_PM_TIMER       76u
#define FADT_CSTATE         95u
#define FADT_DAY_ALARM      106u
#define FADT_MONTH_ALARM    107u
#define FADT_CENTURY        108u
#define FADT_SIZE_V1        116u
#define FADT_FLAGS          112u
#define FADT_TIMER_32       (1u << 8)
#define FADT_CAN_RESET      (1u << 10)
#define FADT_RESET_SPACE    116u
#define FADT_RESET_ADDRESS  120u
#define FADT_RESET_VALUE    128u
#define FADT_SIZE_V2        129u
#define FADT_X_DSDT         140u
#define FADT_X_PM1A_EVENT   148u /* these as generic addresses, F11.24 */
#define FADT_X_PM1A_CONTROL 172u
#define FADT_X_PM1B_CONTROL 184u
#define FADT_X_PM_TIMER     208u
#define GENERIC_ADDRESS     4u /* after space, width, offset and size of access */
#define GENERIC_SIZE        12u
#define AML_PACKAGE         0x12u
#define AML_BYTE            0x0au /* followed by the value; 0 and 1 are opcodes */
#define AML_ONE             0x01u
#define OFF_PACKAGE_MOST    12u   /* bytes from the name on that are looked at */
#define SMI_IDLE_COMMAND    0x4au /* emulators' firmware ignores it: F10.10 */

static uint64_t fetch(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes; i > 0; i--)
        value = value << 8 | at[i - 1];
    return value;
}

uint64_t acpi_number(const uint8_t *at, size_t bytes)
{
    return fetch(at, bytes);
}

static uint32_t fetch32(const uint8_t *at)
{
    return (uint32_t)fetch(at, 4);
}

bool acpi_checksum_ok(const uint8_t *bytes, size_t length)
{
    uint8_t sum = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum == 0;
}

bool acpi_has_signature(const uint8_t *table, const char *signature)
{
    return __builtin_memcmp(table, signature, 4) == 0;
}

static bool has_usable_xsdt(const uint8_t *rsdp, size_t length)
{
    return length >= RSDP_V2_SIZE && rsdp[RSDP_REVISION] >= 2 && fetch(rsdp + RSDP_XSDT, 8) != 0;
}

const char *acpi_parse_rsdp(const uint8_t *rsdp, size_t length, struct acpi_root *root)
{
    if (length < RSDP_V1_SIZE)
        return "ACPI: the loader gave no RSDP";
    if (__builtin_memcmp(rsdp, "RSD PTR ", 8) != 0)
        return "ACPI: the RSDP has no signature";
    if (!acpi_checksum_ok(rsdp, RSDP_V1_SIZE))
        return "ACPI: the RSDP's checksum is wrong";
    uint32_t rsdt = fetch32(rsdp + RSDP_RSDT);
    bool has_xsdt = has_usable_xsdt(rsdp, length);
    *root = (struct acpi_root){.physical = rsdt, .entry_size = 4};
    if (has_xsdt && acpi_checksum_ok(rsdp, RSDP_V2_SIZE))
        *root = (struct acpi_root){
            .physical = fetch(rsdp + RSDP_XSDT, 8), .entry_size = 8, .rsdt = rsdt};
    else if (has_xsdt && rsdt == 0)
        return "ACPI: the RSDP's extended checksum is wrong";
    return root->physical == 0 ? "ACPI: the RSDP names no table" : NULL;
}

size_t acpi_table_length(const uint8_t header[ACPI_HEADER_SIZE])
{
    uint32_t length = fetch32(header + TABLE_LENGTH);
    return length < ACPI_HEADER_SIZE || length > ACPI_LENGTH_LARGEST ? 0 : length;
}

bool acpi_root_entry(const uint8_t *table, size_t length, size_t entry_size, size_t i,
                     uint64_t *physical)
{
    size_t count = (length - ACPI_HEADER_SIZE) / entry_size;
    if (i >= count)
        return false;
    *physical = fetch(table + ACPI_HEADER_SIZE + i * entry_size, entry_size);
    return true;
}

/* Skips ids already listed: firmware may use both kinds of entry (F11.23). */
static void add_processor(struct acpi_madt *out, uint32_t id)
{
    for (unsigned i = 0; i < out->processor_count; i++)
        if (out->processors[i] == id)
            return;
    if (out->processor_count < ACPI_PROCESSORS)
        out->processors[out->processor_count++] = id;
}

static const char *read_processor(const uint8_t *entry, size_t size, struct acpi_madt *out)
{
    if (size < MADT_PROCESSOR_SIZE)
        return "ACPI: a processor entry of the MADT is too short";
    if ((fetch32(entry + 4) & PROCESSOR_ENABLED) && entry[3] != UINT8_MAX)
        add_processor(out, entry[3]);
    return NULL;
}

static const char *read_x2apic(const uint8_t *entry, size_t size, struct acpi_madt *out)
{
    if (size < MADT_X2APIC_SIZE)
        return "ACPI: an x2APIC entry of the MADT is too short";
    if ((fetch32(entry + 8) & PROCESSOR_ENABLED) && fetch32(entry + 4) != UINT32_MAX)
        add_processor(out, fetch32(entry + 4));
    return NULL;
}

static const char *read_ioapic(const uint8_t *entry, size_t size, struct acpi_madt *out)
{
    if (size < MADT_IOAPIC_SIZE)
        return "ACPI: an I/O APIC entry of the MADT is too short";
    if (out->has_ioapic)
        return NULL;
    out->has_ioapic = true;
    out->ioapic_physical = fetch32(entry + 4);
    out->ioapic_gsi_base = fetch32(entry + 8);
    return NULL;
}

/* Bus 0 is ISA. Flags 0 mean "as the bus has it": active high, edge. */
static const char *read_override(const uint8_t *entry, size_t size, struct acpi_madt *out)
{
    if (size < MADT_OVERRIDE_SIZE)
        return "ACPI: an override entry of the MADT is too short";
    uint8_t irq = entry[3];
    unsigned flags = (unsigned)fetch(entry + 8, 2);
    if (entry[2] == 0 && irq < ACPI_ISA_IRQ_COUNT)
        out->isa[irq] = (struct acpi_isa_route){.gsi = fetch32(entry + 4),
                                                .active_low = (flags & 3) == POLARITY_LOW,
                                                .level = (flags >> 2 & 3) == TRIGGER_LEVEL};
    return NULL;
}

static const char *read_wakeup(const uint8_t *entry, size_t size, struct acpi_madt *out)
{
    (void)entry;
    out->has_wakeup = true;
    return size < MADT_WAKEUP_SIZE ? "ACPI: a wake-up entry of the MADT is too short" : NULL;
}

static const char *read_entry(const uint8_t *entry, size_t size, struct acpi_madt *out)
{
    switch (entry[0]) {
    case MADT_PROCESSOR:
        return read_processor(entry, size, out);
    case MADT_IOAPIC:
        return read_ioapic(entry, size, out);
    case MADT_OVERRIDE:
        return read_override(entry, size, out);
    case MADT_X2APIC:
        return read_x2apic(entry, size, out);
    case MADT_WAKEUP:
        return read_wakeup(entry, size, out);
    default:
        return NULL;
    }
}

const char *acpi_parse_madt(const uint8_t *table, size_t length, struct acpi_madt *out)
{
    *out = (struct acpi_madt){0};
    for (uint32_t irq = 0; irq < ACPI_ISA_IRQ_COUNT; irq++)
        out->isa[irq].gsi = irq;
    if (length < MADT_ENTRIES)
        return "ACPI: the MADT is too short";
    out->has_8259 = fetch32(table + MADT_FLAGS) & MADT_HAS_8259;
    const char *wrong = NULL;
    /* Ignores a rest that is too short for an entry. */
    for (size_t at = MADT_ENTRIES; length - at >= MADT_HEAD && wrong == NULL; at += table[at + 1]) {
        size_t size = table[at + 1];
        if (size < MADT_HEAD || size > length - at)
            return "ACPI: an entry of the MADT has an impossible length";
        wrong = read_entry(table + at, size, out);
    }
    return wrong;
}

/* The old field, or the extended one if that is 0. A value that is no port counts as absent. */
static uint16_t fadt_port(const uint8_t *table, size_t length, size_t old, size_t generic)
{
    uint64_t port = fetch32(table + old);
    if (port == 0 && length >= generic + GENERIC_SIZE && table[generic] == ACPI_SPACE_PORT)
        port = fetch(table + generic + GENERIC_ADDRESS, 8);
    return port > UINT16_MAX ? 0 : (uint16_t)port;
}

static uint64_t fadt_dsdt(const uint8_t *table, size_t length)
{
    uint64_t physical = fetch32(table + FADT_DSDT);
    return physical != 0 || length < FADT_X_DSDT + 8 ? physical : fetch(table + FADT_X_DSDT, 8);
}

const char *acpi_parse_fadt(const uint8_t *table, size_t length, struct acpi_fadt *out)
{
    *out = (struct acpi_fadt){0};
    if (length < FADT_SIZE_V1)
        return "ACPI: the FADT is too short";
    uint32_t flags = fetch32(table + FADT_FLAGS);
    out->dsdt = fadt_dsdt(table, length);
    out->smi_command = fetch32(table + FADT_SMI_COMMAND);
    out->acpi_enable = table[FADT_ENABLE];
    out->acpi_disable = table[FADT_DISABLE];
    out->s4bios_request = table[FADT_S4BIOS];
    out->pstate_control = table[FADT_PSTATE];
    out->cstate_control = table[FADT_CSTATE];
    out->day_alarm = table[FADT_DAY_ALARM];
    out->month_alarm = table[FADT_MONTH_ALARM];
    out->century = table[FADT_CENTURY];
    out->pm1a_event = fadt_port(table, length, FADT_PM1A_EVENT, FADT_X_PM1A_EVENT);
    out->pm1a_control = fadt_port(table, length, FADT_PM1A_CONTROL, FADT_X_PM1A_CONTROL);
    out->pm1b_control = fadt_port(table, length, FADT_PM1B_CONTROL, FADT_X_PM1B_CONTROL);
    out->pm_timer = fadt_port(table, length, FADT_PM_TIMER, FADT_X_PM_TIMER);
    out->pm_timer_32_bits = flags & FADT_TIMER_32;
    if (length >= FADT_SIZE_V2 && (flags & FADT_CAN_RESET)) {
        out->has_reset = true;
        out->reset_space = table[FADT_RESET_SPACE];
        out->reset_address = fetch(table + FADT_RESET_ADDRESS, 8);
        out->reset_value = table[FADT_RESET_VALUE];
    }
    return NULL;
}

static bool is_smi_command(const struct acpi_fadt *fadt, uint8_t value)
{
    return value == fadt->acpi_enable || value == fadt->acpi_disable ||
           value == fadt->s4bios_request || value == fadt->pstate_control ||
           value == fadt->cstate_control;
}

/* There are five commands at most, so one of six values is free. */
uint8_t acpi_idle_smi_command(const struct acpi_fadt *fadt)
{
    uint8_t value = SMI_IDLE_COMMAND;
    while (is_smi_command(fadt, value))
        value++;
    return value;
}

/* Reads one element of a package. Returns false if it is no small constant. */
static bool read_constant(const uint8_t **at, uint8_t *value)
{
    bool has_prefix = **at == AML_BYTE;
    *at += has_prefix;
    *value = *(*at)++;
    return has_prefix || *value <= AML_ONE;
}

/* A package is operator, length of 1 to 4 bytes, count and elements; at has eight bytes. */
static bool read_off_package(const uint8_t *at, uint8_t types[2])
{
    if (at[0] != AML_PACKAGE || at[1] >> 6 > 1)
        return false;
    at += 2 + (at[1] >> 6);
    uint8_t elements = *at++;
    if (elements == 0 || !read_constant(&at, &types[0]))
        return false;
    types[1] = 0;
    return elements == 1 || read_constant(&at, &types[1]);
}

bool acpi_off_types(const uint8_t *dsdt, size_t length, uint8_t types[2])
{
    for (size_t at = ACPI_HEADER_SIZE; at + OFF_PACKAGE_MOST <= length; at++)
        if (acpi_has_signature(dsdt + at, "_S5_") && read_off_package(dsdt + at + 4, types))
            return true;
    return false;
}
