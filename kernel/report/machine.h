/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of the log: "# key: value" lines that describe the machine. */
#ifndef KERNEL_REPORT_MACHINE_H
#define KERNEL_REPORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/identity/identity.h"
#include "kernel/settings.h"

struct machine_name {
    const char *version; /* of btscheck */
    const char *cpu, *hypervisor;
    const char *firmware;                      /* "BIOS" or "UEFI" */
    const char *firmware_version, *board_name; /* from SMBIOS; "" if missing */
    const char *serial_problem;                /* why the serial line is not used, or NULL */
    char signature[64];       /* "06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3)" */
    char short_signature[24]; /* "06_5EH-3" */
    uint32_t microcode;
};

void machine_get_name(struct machine_name *out);

/* Print the head of the log: first the names, before anything that may hang the machine, then the
 * rest. */
void machine_introduce(const struct options *options);
void machine_print(const struct options *options);

/* Prints firmware, board and date (machine_board.c). with_serials: with serial numbers and UUID. */
void machine_print_board(bool with_serials);

/* Why nothing can run in the kernel's memory, or NULL. */
const char *machine_memory_problem(void);

/* The lines about the other processors (machine_processors.c). */

/* "xAPIC" */
const char *apic_mode_name(void);

/* Prints which processors will be called: the last line if the machine does not survive that. */
void machine_print_call(void);

/* Prints a processor on which tests run: "# cpu: apic=4 package=0 core=2 thread=0 kind=E number=2".
 * identity: NULL if unknown. */
void machine_print_processor(unsigned number, uint32_t apic_id,
                             const struct cpu_identity *identity);

/* Prints how far the processor's TSC is ahead of that of the processor that booted, if it is a
 * millisecond or more. ahead: in ticks. */
void machine_print_tsc(uint32_t apic_id, int64_t ahead);

/* Prints how many processors there are, which are used, why others are not, and their kinds. */
void machine_print_processors(void);

#endif
