/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr_arch.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/traps/simd.h"
#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"

#define LEAF        0x0du
#define XSAVE       26 /* CPUID.01H:ECX */
#define XSAVES      3  /* CPUID.0DH.1:EAX */
#define COMPONENT   15u
#define OURS        (1ull << COMPONENT)
#define COMPACTED   (1ull << 63) /* of XCOMP_BV */
#define ALIGNED     2u           /* of a component's ECX: it begins with a multiple of 64 */
#define AREA_SIZE   2048u
#define CR0_MP      (1ull << 1)
#define CR0_EM      (1ull << 2)
#define CR0_TS      (1ull << 3)
#define CR4_OSXSAVE (1ull << 18)

struct exception lbr_xsave_save(void *area, uint64_t components); /* lbr_registers.S */
struct exception lbr_xsave_restore(const void *area, uint64_t components);

/* In the compacted format a component lies behind the others that are in it. */
struct area {
    uint8_t legacy[512];
    uint64_t in_use, format; /* XSTATE_BV, XCOMP_BV */
    uint64_t reserved[6];
    uint8_t components[AREA_SIZE];
};

static uint64_t cr0_before, cr4_before, xss_before;
static uint64_t states; /* those that are saved and restored */

static bool is_enumerated(void)
{
    struct cpuid_result sub1, sub15;

    if (!cpuid_bit_value((struct cpuid_bit){1, CPUID_ECX, XSAVE}) ||
        cpu_features()->identity.max_leaf < LEAF)
        return false;
    sub1 = insn_cpuid(LEAF, 1);
    sub15 = insn_cpuid(LEAF, COMPONENT);
    return sub1.eax >> XSAVES & 1 && sub1.ecx >> COMPONENT & 1 &&
           sub15.eax == sizeof(struct lbr_image);
}

static void probe(void)
{
    cpu_features()->present[FEATURE_LBR_XSAVES] = is_enumerated();
}

static bool explain(enum feature feature, char *text, size_t size)
{
    if (feature != FEATURE_LBR_XSAVES)
        return false;
    format_string(text, size, "CPUID.0DH: no XSAVES, or not of component 15 with %u bytes",
                  (unsigned)sizeof(struct lbr_image));
    return true;
}

FEATURE_PROBER(lbr_xsave_prober, probe, explain, NULL);

void lbr_xsave_begin(bool with_vectors)
{
    if (with_vectors)
        avx_begin(true);
    cr0_before = insn_read_cr0();
    cr4_before = insn_read_cr4();
    insn_write_cr0((cr0_before & ~(CR0_EM | CR0_TS)) | CR0_MP);
    insn_write_cr4(cr4_before | CR4_OSXSAVE);
    xss_before = rdmsr(IA32_XSS);
    wrmsr(IA32_XSS, xss_before | OURS);
    states = with_vectors ? OURS | XCR0_VECTORS : OURS;
}

void lbr_xsave_end(void)
{
    wrmsr(IA32_XSS, xss_before);
    insn_write_cr4(cr4_before);
    insn_write_cr0(cr0_before);
    if (states != OURS)
        avx_end();
}

static struct area area __attribute__((aligned(64)));

static struct lbr_image *image_in_area(void)
{
    size_t at = 0;

    for (unsigned i = 2; i <= COMPONENT; i++) {
        struct cpuid_result component = insn_cpuid(LEAF, i);

        if (!(states >> i & 1))
            continue;
        if (component.ecx & ALIGNED)
            at = (at + 63) / 64 * 64;
        if (i < COMPONENT)
            at += component.eax;
    }
    return (struct lbr_image *)(area.components + at);
}

struct exception lbr_xsaves(struct lbr_image *image, bool *used)
{
    struct exception exception;

    __builtin_memset(&area, 0, sizeof area);
    exception = lbr_xsaves_again(image);
    *used = area.in_use & OURS && area.format == (COMPACTED | states);
    return exception;
}

struct exception lbr_xrstors(const struct lbr_image *image)
{
    __builtin_memset(&area, 0, sizeof area);
    area.in_use = image != NULL ? OURS : 0;
    area.format = COMPACTED | states;
    if (image != NULL)
        *image_in_area() = *image;
    return lbr_xsave_restore(&area, states);
}

struct exception lbr_xsaves_again(struct lbr_image *image)
{
    struct exception exception = lbr_xsave_save(&area, states);

    *image = *image_in_area();
    return exception;
}
