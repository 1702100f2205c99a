/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine introduces itself at the head of the log, as "# key: value" lines. */
#ifndef KERNEL_REPORT_MACHINE_H
#define KERNEL_REPORT_MACHINE_H

#include <stdint.h>

#include "kernel/settings.h"

struct machine_name {
    const char *version; /* of btscheck */
    const char *cpu, *hypervisor;
    const char *firmware;                      /* "BIOS" or "UEFI" */
    const char *firmware_version, *board_name; /* as SMBIOS has them; "" where it does not tell */
    const char *serial_problem; /* why the log does not go to the serial line, or NULL */
    char signature[64];         /* "06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3)" */
    char short_signature[24];   /* "06_5EH-3" */
    uint32_t microcode;
};

void machine_get_name(struct machine_name *out);

/* Who it is, before anything of it is tried that may not come back; and the rest. */
void machine_introduce(void);
void machine_print(const struct options *options);

/* Why nothing can run in the memory that the kernel has, or NULL. */
const char *machine_memory_problem(void);

#endif
