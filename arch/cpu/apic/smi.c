/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/smi.h"
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/memory/low_memory.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/paging.h"
#include "arch/lib/string.h"

/* From the handler's first instruction to the end of the state save area. */
#define SMM_AREA_SIZE 0x8000u

extern const uint8_t smi_handler[], smi_handler_end[]; /* smi_handler.S */

static enum smi_permission permission = SMI_AUTO;

void smi_permit(enum smi_permission wanted)
{
    permission = wanted;
}

bool smi_is_allowed_everywhere(void)
{
    return permission == SMI_ALLOW;
}

/* Returns NULL, or why SMIs are not allowed here. */
static const char *find_prohibition(void)
{
    if (permission == SMI_NEVER)
        return "smi=never on the command line forbids system management interrupts";
    if (permission == SMI_AUTO && !feature_present(FEATURE_HYPERVISOR))
        return "CPUID.01H:ECX[31].hypervisor = 0: on bare metal an SMI is a command to the "
               "firmware; smi=allow permits it";
    return NULL;
}

const char *smi_find_command(struct smi_command *command)
{
    struct acpi_fadt fadt;
    const char *why = find_prohibition();
    if (why == NULL)
        why = acpi_read_fadt(&fadt);
    if (why != NULL)
        return why;
    if (fadt.smi_command == 0)
        return "the FADT's SMI_CMD = 0: no port raises an SMI";
    if (fadt.smi_command > UINT16_MAX)
        return "the FADT's SMI_CMD is no port number";
    command->port = (uint16_t)fadt.smi_command;
    command->value = acpi_idle_smi_command(&fadt);
    return NULL;
}

bool smi_serve_reset_base(void)
{
    size_t size = (size_t)(smi_handler_end - smi_handler);
    void *memory = NULL;

    if (low_memory_is_free(SMI_HANDLER_BASE, SMM_AREA_SIZE))
        memory = paging_map_physical(SMI_HANDLER_BASE, size, PAGE_WRITE_BACK);
    if (memory != NULL)
        memcpy(memory, smi_handler, size);
    return memory != NULL;
}

bool smi_count(uint32_t *count)
{
    uint64_t value = 0;
    if (!feature_present(FEATURE_MSR) || exception_happened(rdmsr_safe(MSR_SMI_COUNT, &value)))
        return false;
    *count = (uint32_t)value;
    return true;
}

struct smi_mark smi_mark(void)
{
    static bool absent; /* asked once, because without the MSR it raises an exception */
    struct smi_mark mark = {false, 0};

    if (!absent)
        mark.known = smi_count(&mark.count);
    absent = !mark.known;
    return mark;
}

uint32_t smi_count_since(const struct smi_mark *mark)
{
    struct smi_mark now = smi_mark();

    return mark->known && now.known ? now.count - mark->count : 0;
}
