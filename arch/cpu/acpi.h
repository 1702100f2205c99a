/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few ACPI tables that the kernel reads, found through the RSDP that the loader handed over
 * (F11.20 to F11.24). Needs paging_init(). Every failure is a reason, never a hang: lengths are
 * bounded and checksums must be right.
 */
#ifndef ARCH_CPU_ACPI_H
#define ARCH_CPU_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACPI_ISA_IRQ_COUNT 16u
#define ACPI_PROCESSORS    4096u /* what a list has room for; more are left out */

/* Where an ISA interrupt arrives: identity, edge and active high unless an override says other. */
struct acpi_isa_route {
    uint32_t gsi; /* global system interrupt */
    bool active_low;
    bool level;
};

struct acpi_madt {
    bool has_8259;
    bool has_ioapic;          /* the first one listed: */
    uint32_t ioapic_physical; /* address of its registers */
    uint32_t ioapic_gsi_base; /* GSI of its pin 0 */
    struct acpi_isa_route isa[ACPI_ISA_IRQ_COUNT];
    unsigned processor_count;             /* enabled ones */
    uint32_t processors[ACPI_PROCESSORS]; /* their APIC ids, each once, as listed */
};

enum acpi_space { ACPI_SPACE_MEMORY = 0, ACPI_SPACE_PORT = 1 };

struct acpi_fadt { /* ports are 0 when absent */
    uint64_t dsdt; /* physical address, or 0 */
    uint32_t smi_command;
    uint8_t acpi_enable,
        acpi_disable; /* values for smi_command; these and the next 0 when absent */
    uint8_t s4bios_request, pstate_control, cstate_control;
    uint8_t day_alarm, month_alarm; /* registers of the real-time clock; 0 when absent */
    uint16_t pm1a_event, pm1a_control, pm1b_control;
    uint16_t pm_timer; /* 3.579545 MHz */
    bool pm_timer_32_bits;
    bool has_reset;
    uint8_t reset_space; /* enum acpi_space or another */
    uint64_t reset_address;
    uint8_t reset_value;
};

/*
 * Finds a table by its four-letter signature and maps it. *length is in bytes, header included.
 * Returns NULL and sets *why when there is none or it is broken.
 */
const void *acpi_find(const char *signature, size_t *length, const char **why);

/* Both return NULL, or the reason why *out could not be filled. */
const char *acpi_read_madt(struct acpi_madt *out);
const char *acpi_read_fadt(struct acpi_fadt *out);

#endif
