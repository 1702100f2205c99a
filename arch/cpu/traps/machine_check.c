/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/machine_check.h"

#include "arch/cpu/identity/models.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"

#define MCG_CAP_COUNT 0xffu
#define MCG_CAP_CTL   (1u << 8) /* IA32_MCG_CTL exists */
#define MC_STATUS_VAL (1ull << 63)
#define BANK_STRIDE   4u
#define BANKS_MAX     32u
#define ALL_ERRORS    (~0ull)

/* Settings that machine_check_report() found on each processor; bit i of changed: bank i was
 * written. */
static struct settings {
    uint64_t global, bank[BANKS_MAX];
    uint32_t changed;
    bool global_changed;
} settings[PROCESSORS_MAX];

static unsigned bank_count(void)
{
    unsigned count = (unsigned)(rdmsr(IA32_MCG_CAP) & MCG_CAP_COUNT);

    return count < BANKS_MAX ? count : BANKS_MAX;
}

/* On family 6 before Nehalem IA32_MC0_CTL belongs to the firmware. */
static unsigned first_bank(void)
{
    return core_has(LEAVES_BANK_0) ? 1 : 0;
}

static struct settings *own(void)
{
    return &settings[this_cpu()->index];
}

static void report_global(struct settings *before)
{
    before->global_changed = (rdmsr(IA32_MCG_CAP) & MCG_CAP_CTL) != 0;
    if (!before->global_changed)
        return;
    before->global = rdmsr(IA32_MCG_CTL);
    wrmsr(IA32_MCG_CTL, ALL_ERRORS);
}

void machine_check_report(void)
{
    struct settings *before = own();

    before->changed = 0;
    report_global(before);
    for (unsigned i = first_bank(); i < bank_count(); i++) {
        if (exception_happened(rdmsr_safe(IA32_MC0_CTL + BANK_STRIDE * i, &before->bank[i])))
            continue;
        wrmsr_safe(IA32_MC0_CTL + BANK_STRIDE * i, ALL_ERRORS);
        before->changed |= 1u << i;
    }
}

void machine_check_report_end(void)
{
    struct settings *before = own();

    for (unsigned i = 0; i < BANKS_MAX; i++)
        if (before->changed & 1u << i)
            wrmsr_safe(IA32_MC0_CTL + BANK_STRIDE * i, before->bank[i]);
    if (before->global_changed)
        wrmsr(IA32_MCG_CTL, before->global);
    before->changed = 0;
    before->global_changed = false;
}

struct machine_check machine_check_take(void)
{
    struct machine_check found = {.global_status = rdmsr(IA32_MCG_STATUS),
                                  .bank = MACHINE_CHECK_NO_BANK};

    for (unsigned i = 0; i < bank_count(); i++) {
        uint64_t status = 0;

        if (exception_happened(rdmsr_safe(IA32_MC0_STATUS + BANK_STRIDE * i, &status)) ||
            !(status & MC_STATUS_VAL))
            continue;
        if (found.bank == MACHINE_CHECK_NO_BANK) {
            found.bank = i;
            found.status = status;
        }
        wrmsr_safe(IA32_MC0_STATUS + BANK_STRIDE * i, 0);
    }
    wrmsr(IA32_MCG_STATUS, 0);
    return found;
}
