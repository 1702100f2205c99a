/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raises a system management interrupt (SMI) by OUT to the port of the APM command register
 * (F10.8). The firmware takes the value as a command (F10.9). Ours is therefore none of the FADT's
 * commands, and is written only if smi_permit() and the FADT allow.
 */
#ifndef ARCH_CPU_APIC_SMI_H
#define ARCH_CPU_APIC_SMI_H

/* The SMI handler (F10.5). Usable from assembly. */
#define SMI_HANDLER_OFFSET 0x8000  /* from SMBASE */
#define SMI_HANDLER_BASE   0x38000 /* its address while SMBASE is 30000H, as after RESET */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

enum smi_permission {
    SMI_AUTO,  /* only under a hypervisor, by CPUID (F1.2) */
    SMI_ALLOW, /* on bare metal as well */
    SMI_NEVER,
};

/* SMI_AUTO until this is called. */
void smi_permit(enum smi_permission permission);

/* Was SMI_ALLOW given, so that the user accepts the risk on a board? */
bool smi_is_allowed_everywhere(void);

struct smi_command { /* OUT of value to port */
    uint16_t port;
    uint8_t value;
};

/*
 * Finds the command that raises an SMI on this machine; the firmware may still have disabled it
 * (F10.10). Returns NULL, or the reason why no command can or may be used. Needs paging_init() and
 * features_probe().
 */
const char *smi_find_command(struct smi_command *command);

/*
 * Installs a handler at SMI_HANDLER_BASE for good, for processors whose SMBASE is still that of
 * RESET (F10.5). The handler executes about 500 branches, then RSM. Returns false if the memory is
 * in use or cannot be mapped.
 */
bool smi_serve_reset_base(void);

/* Sets *count to the number of SMIs that this processor has taken, from MSR_SMI_COUNT (F10.7).
 * Returns false if the processor lacks that MSR. */
bool smi_count(uint32_t *count);

/* A count to compare with later. */
struct smi_mark {
    bool known; /* the processor has MSR_SMI_COUNT */
    uint32_t count;
};

struct smi_mark smi_mark(void);

/* SMIs since the mark; 0 also if the processor lacks MSR_SMI_COUNT. */
uint32_t smi_count_since(const struct smi_mark *mark);

#endif
#endif
