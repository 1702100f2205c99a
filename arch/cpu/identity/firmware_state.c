/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/identity/firmware_state.h"
#include "arch/cpu/identity/identity.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"

#define ALL_BITS UINT64_MAX

static bool always(void)
{
    return true;
}

static bool has_sysenter(void)
{
    return cpuid_bit_value((struct cpuid_bit){1, CPUID_EDX, 11});
}

static bool has_processor_trace(void)
{
    return cpuid_bit_value((struct cpuid_bit){7, CPUID_EBX, 25});
}

/* Shadow stacks or indirect branch tracking. */
static bool has_cet(void)
{
    return cpuid_bit_value((struct cpuid_bit){7, CPUID_ECX, 7}) ||
           cpuid_bit_value((struct cpuid_bit){7, CPUID_EDX, 20});
}

static bool has_supervisor_keys(void)
{
    return cpuid_bit_value((struct cpuid_bit){7, CPUID_ECX, 31});
}

/* The first row hides CPUID leaves that later rows need. Bits outside the mask stay. */
static const struct row {
    const char *name;
    uint32_t number;
    uint64_t mask; /* to clear */
    bool (*exists)(void);
} rows[] = {
    {"IA32_MISC_ENABLE[22] (CPUID leaves hidden)", IA32_MISC_ENABLE, MISC_ENABLE_LIMIT_CPUID,
     always},
    {"IA32_RTIT_CTL.TraceEn (Processor Trace on)", IA32_RTIT_CTL, RTIT_CTL_TRACE_EN,
     has_processor_trace},
    {"IA32_U_CET", IA32_U_CET, ALL_BITS, has_cet},
    {"IA32_S_CET", IA32_S_CET, ALL_BITS, has_cet},
    {"IA32_PKRS", IA32_PKRS, ALL_BITS, has_supervisor_keys},
    {"IA32_SYSENTER_CS", IA32_SYSENTER_CS, ALL_BITS, has_sysenter},
    {"IA32_SYSENTER_ESP", IA32_SYSENTER_ESP, ALL_BITS, has_sysenter},
    {"IA32_SYSENTER_EIP", IA32_SYSENTER_EIP, ALL_BITS, has_sysenter},
    {"IA32_CSTAR", IA32_CSTAR, ALL_BITS, always},
    {"IA32_FS_BASE", IA32_FS_BASE, ALL_BITS, always},
    {"IA32_KERNEL_GS_BASE", IA32_KERNEL_GS_BASE, ALL_BITS, always},
};

#define ROWS     (sizeof(rows) / sizeof(rows[0]))
#define KEPT_MAX (ROWS + 8) /* and what others note */

static struct firmware_state kept[KEPT_MAX];
static size_t kept_count;

void firmware_state_note(const char *name, uint64_t found)
{
    if (this_cpu()->index == 0 && kept_count < KEPT_MAX)
        kept[kept_count++] = (struct firmware_state){.name = name, .found = found};
}

static void put_right(const struct row *row)
{
    uint64_t found = 0;
    if (!row->exists() || exception_happened(rdmsr_safe(row->number, &found)) ||
        (found & row->mask) == 0)
        return;
    firmware_state_note(row->name, found);
    wrmsr_safe(row->number, found & ~row->mask);
}

void firmware_state_reset(void)
{
    for (size_t i = 0; i < ROWS; i++)
        put_right(&rows[i]);
}

const struct firmware_state *firmware_state(size_t number)
{
    return number < kept_count ? &kept[number] : NULL;
}
