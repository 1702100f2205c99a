/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each processor have the registers that the kernel means it to have, whatever firmware and
 * loader left? Their values are written here once more, in full.
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/paging.h"
#include "kernel/report/test.h"
#include "tests/run/other_processor.h"

/* CR0: PG, WP, NE, ET, PE. CR4: PAE, and if CPUID enumerates them MCE, PGE, SMEP. */
#define CR0_WANTED 0x80010031u
#define CR4_PAE    0x20u
#define CR4_MCE    0x40u
#define CR4_PGE    0x80u
#define CR4_SMEP   0x100000u
#define DR7_WANTED 0x400u
#define PAT_WANTED 0x0007040100070406ull

/* MSRs that are 0 on each processor where they are at all. */
static const struct {
    const char *name;
    uint32_t number;
    enum feature needed;
} zeros[] = {
    {"IA32_SYSENTER_CS", IA32_SYSENTER_CS, FEATURE_SEP},
    {"IA32_SYSENTER_ESP", IA32_SYSENTER_ESP, FEATURE_SEP},
    {"IA32_SYSENTER_EIP", IA32_SYSENTER_EIP, FEATURE_SEP},
    {"IA32_CSTAR", IA32_CSTAR, FEATURE_MSR},
    {"IA32_FS_BASE", IA32_FS_BASE, FEATURE_MSR},
    {"IA32_KERNEL_GS_BASE", IA32_KERNEL_GS_BASE, FEATURE_MSR},
};

struct registers {
    uint64_t cr0, cr4, dr7, efer, pat, misc_enable;
    uint64_t zero[COUNT_OF(zeros)];
};

static void read_zeros(struct registers *out)
{
    for (size_t i = 0; i < COUNT_OF(zeros); i++) {
        out->zero[i] = 0;
        if (feature_present(zeros[i].needed))
            rdmsr_safe(zeros[i].number, &out->zero[i]);
    }
}

static void read(void *argument)
{
    struct registers *out = argument;

    *out = (struct registers){.cr0 = insn_read_cr0(),
                              .cr4 = insn_read_cr4(),
                              .dr7 = insn_read_dr7(),
                              .efer = rdmsr(IA32_EFER),
                              .pat = PAT_WANTED};
    if (feature_present(FEATURE_PAT))
        rdmsr_safe(IA32_PAT, &out->pat);
    rdmsr_safe(IA32_MISC_ENABLE, &out->misc_enable);
    read_zeros(out);
}

static uint64_t cr4_wanted(void)
{
    return CR4_PAE | (feature_present(FEATURE_MCE) ? CR4_MCE : 0) |
           (feature_present(FEATURE_PGE) ? CR4_PGE : 0) |
           (feature_present(FEATURE_SMEP) ? CR4_SMEP : 0);
}

static void check(struct test_context *t, const struct registers *seen)
{
    uint64_t nxe = paging_without_nx() == NULL ? EFER_NXE : 0;

    EXPECT_EQUAL(t, SETUP, "CR0", seen->cr0, CR0_WANTED);
    EXPECT_EQUAL(t, SETUP, "CR4", seen->cr4, cr4_wanted());
    EXPECT_EQUAL(t, SETUP, "DR7", seen->dr7, DR7_WANTED);
    EXPECT_EQUAL(t, SETUP, "IA32_EFER", seen->efer, EFER_LMA | EFER_LME | EFER_SCE | nxe);
    EXPECT_EQUAL(t, SETUP, "IA32_PAT", seen->pat, PAT_WANTED);
    EXPECT(t, SETUP, !(seen->misc_enable & MISC_ENABLE_LIMIT_CPUID), "CPUID leaves are hidden");
    for (size_t i = 0; i < COUNT_OF(zeros); i++)
        EXPECT_EQUAL(t, SETUP, zeros[i].name, seen->zero[i], 0);
}

SELFTEST(selftest, registers_are_as_the_kernel_sets_them, CLAIMS(), NEEDS())
{
    struct registers seen;

    read(&seen);
    check(t, &seen);
    for (unsigned index = 1; index < processor_count(); index++) {
        if (!other_start(t, index))
            return;
        if (other_run(t, index, read, &seen))
            check(t, &seen);
        other_stop(t, index);
    }
}
