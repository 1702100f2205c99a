/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A system management interrupt (SMI), raised by OUT to the port of the APM command register
 * (F10.8). What is written there is a command to the firmware (F10.9): nothing here writes it
 * unless the permission and the FADT allow, and then a value that asks for nothing.
 */
#ifndef ARCH_CPU_APIC_SMI_H
#define ARCH_CPU_APIC_SMI_H

/* Where a processor goes whose SMBASE is what RESET makes it, 30000H (F10.5). Usable from assembly.
 */
#define SMI_HANDLER_OFFSET 0x8000
#define SMI_HANDLER_BASE   0x38000

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

enum smi_permission {
    SMI_AUTO,  /* where CPUID says that a hypervisor is there (F1.2) */
    SMI_ALLOW, /* on bare metal as well */
    SMI_NEVER,
};

/* SMI_AUTO until this is called. */
void smi_permit(enum smi_permission permission);

/* SMI_ALLOW: somebody has taken the risks of a board. */
bool smi_is_allowed_everywhere(void);

struct smi_command { /* OUT of value to port */
    uint16_t port;
    uint8_t value;
};

/*
 * How an SMI is asked for here; whether the firmware has enabled it is another question (F10.10).
 * NULL, or the reason why it may not or cannot be asked for. Needs paging_init() and
 * features_probe().
 */
const char *smi_find_command(struct smi_command *command);

/*
 * Code of ours where a processor goes to whose SMBASE the firmware has left as RESET has it
 * (F10.5): some hundred branches, and RSM. False where that memory is somebody else's. It stays.
 */
bool smi_serve_reset_base(void);

/* SMIs that this processor has taken: MSR_SMI_COUNT, 32 bits (F10.7). False where it has none. */
bool smi_count(uint32_t *count);

/* To ask later how many the firmware has raised since, for its own reasons. */
struct smi_mark {
    bool known;
    uint32_t count;
};

struct smi_mark smi_mark(void);

/* 0 as well where no MSR_SMI_COUNT tells. */
uint32_t smi_count_since(const struct smi_mark *mark);

#endif
#endif
