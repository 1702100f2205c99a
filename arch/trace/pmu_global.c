/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the counters have in common: global control, status, everything off. */
#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
#include "arch/cpu/identity/models.h"
#include "arch/trace/pmu.h"
#include "arch/trace/foreign_counters.h"

static bool has_global_registers(void)
{
    return pmu_version() >= 2; /* version 1 has counters and nothing over them: F1.12 */
}

static uint64_t read_or_zero(uint32_t number)
{
    uint64_t value = 0;

    rdmsr_safe(number, &value);
    return value;
}

uint64_t pmu_ours(uint64_t bits)
{
    return bits & ~foreign_counters();
}

uint64_t pmu_ours_fixed(uint64_t control)
{
    return control & ~foreign_fixed_fields();
}

uint64_t pmu_fixed_control_with(uint64_t ours)
{
    uint64_t others = foreign_fixed_fields();

    return others ? (ours & ~others) | (read_or_zero(IA32_FIXED_CTR_CTRL) & others) : ours;
}

uint64_t pmu_global_control(void)
{
    return has_global_registers() ? pmu_ours(read_or_zero(IA32_PERF_GLOBAL_CTRL))
                                  : pmu_all_counters();
}

void pmu_set_global_control(uint64_t bits)
{
    if (has_global_registers())
        wrmsr_safe(IA32_PERF_GLOBAL_CTRL, bits);
}

uint64_t pmu_status(void)
{
    return has_global_registers() ? read_or_zero(IA32_PERF_GLOBAL_STATUS) : 0;
}

void pmu_status_clear(uint64_t bits)
{
    if (has_global_registers())
        wrmsr_safe(IA32_PERF_GLOBAL_OVF_CTRL, bits);
}

struct exception pmu_status_set(uint64_t bits)
{
    return wrmsr_safe(IA32_PERF_GLOBAL_STATUS_SET, bits);
}

uint64_t pmu_status_mask(void)
{
    uint64_t mask = pmu_all_counters() | PERF_GLOBAL_STATUS_OVF_BUF;

    if (pmu_version() >= 4)
        mask |= PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ;
    return mask;
}

/*
 * On Nehalem and Westmere the general-purpose counters count clocks, or nothing, until their
 * internal state has been flushed by these writes (errata AAJ91, AAT43; the sequence: F25.1, the
 * fourth write: F25.2). Whoever calls switches the counters off and clears them.
 */
static void flush_counters(void)
{
    static const uint32_t selects[] = {0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1};

    wrmsr_safe(IA32_PEBS_ENABLE, 0);
    for (unsigned i = 0; i < sizeof selects / sizeof selects[0]; i++) {
        wrmsr_safe(IA32_PERFEVTSEL0 + i, selects[i]);
        wrmsr_safe(IA32_PMC0 + i, 0);
    }
    pmu_set_global_control(0xf);
    pmu_set_global_control(0);
}

/* Counters stop first: a write to one that counts may be lost in the counting (F6.24). */
void pmu_reset(void)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(list);

    pmu_set_global_control(0);
    if (core_has(NEEDS_A_FLUSH))
        flush_counters();
    for (unsigned i = 0; i < count; i++) {
        pmu_program_off(list[i]);
        pmu_reload_off(list[i]);
    }
    /* The adaptive bits of PEBS too (F3.48), and fields of counters that are there although they
     * are not enumerated, which firmware may have left set (F1.13, F25.5). */
    if (has_global_registers())
        wrmsr_safe(IA32_FIXED_CTR_CTRL, pmu_fixed_control_with(0));
    for (unsigned i = 0; i < count; i++)
        pmu_write(list[i], 0);
    if (pmu_status())
        pmu_status_clear(pmu_status());
}

static bool global_registers_are_quiet(char *why, size_t size)
{
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"IA32_PERF_GLOBAL_CTRL", pmu_global_control()},
        {"IA32_FIXED_CTR_CTRL", pmu_ours_fixed(read_or_zero(IA32_FIXED_CTR_CTRL))},
        {"IA32_PERF_GLOBAL_STATUS", pmu_status() & pmu_status_mask()},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value) {
            format_string(why, size, "%s = 0x%lX", rows[i].name, rows[i].value);
            return false;
        }
    return true;
}

bool pmu_is_quiet(char *why, size_t size)
{
    if (has_global_registers() && !global_registers_are_quiet(why, size))
        return false;
    PMU_EACH_GENERAL(i) {
        uint64_t select = read_or_zero(pmu_select_register(i));

        if (select) {
            format_string(why, size, "IA32_PERFEVTSEL%u = 0x%lX", i, select);
            return false;
        }
    }
    return true;
}
