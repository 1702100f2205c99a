/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/descriptors.h"
#include <stddef.h>
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/stacks.h"

/* Flat segments. Accessed bits are set, so that the processor never writes to the GDT. */
#define KERNEL_CODE 0x00af9b000000ffffull
#define KERNEL_DATA 0x00cf93000000ffffull
#define USER_CODE32 0x00cffb000000ffffull
#define USER_DATA   0x00cff3000000ffffull
#define USER_CODE   0x00affb000000ffffull
#define RING1_CODE  0x00afbb000000ffffull
#define RING1_DATA  0x00cfb3000000ffffull
#define RING2_CODE  0x00afdb000000ffffull
#define RING2_DATA  0x00cfd3000000ffffull
#define USER_CODE16 0x0000fb000000ffffull
#define CONFORMING  0x00af9f000000ffffull

/* The base's bits 23:0 stand at 39:16, its bits 31:24 at 63:56. */
#define BASED(descriptor, base)                                                                    \
    ((descriptor) | ((uint64_t)(base)&0xffffff) << 16 | (uint64_t)(base) >> 24 << 56)

#define CODE_IS_64BIT (1ull << 53)

#define TSS_PRESENT_AVAILABLE 0x0000890000000000ull
#define CALL_GATE_DPL3        0x0000ec0000000000ull /* present, 64-bit */

_Static_assert(sizeof(struct tss) == 104, "F14.6");
_Static_assert(offsetof(struct tss, ist) == 0x24, "F14.6");
_Static_assert(offsetof(struct tss, io_map_base) == 0x66, "F14.6");

static const struct descriptor_tables at_first = {
    .gdt =
        {
            [SELECTOR_KERNEL_CODE / 8] = KERNEL_CODE,
            [SELECTOR_KERNEL_DATA / 8] = KERNEL_DATA,
            [SELECTOR_USER_CODE32 / 8] = USER_CODE32,
            [SELECTOR_USER_DATA / 8] = USER_DATA,
            [SELECTOR_USER_CODE / 8] = USER_CODE,
            [SELECTOR_USER_CODE / 8 + 1] = USER_DATA, /* where 64-bit SYSEXIT finds SS (F14.3) */
            [SELECTOR_RING1_CODE / 8] = RING1_CODE,
            [SELECTOR_RING1_DATA / 8] = RING1_DATA,
            [SELECTOR_RING2_CODE / 8] = RING2_CODE,
            [SELECTOR_RING2_DATA / 8] = RING2_DATA,
            [SELECTOR_USER_CODE32_BASED / 8] = BASED(USER_CODE32, USER_CODE32_BASE),
            [SELECTOR_USER_CODE32_HIGH / 8] = BASED(USER_CODE32, USER_CODE32_HIGH_BASE),
            [SELECTOR_USER_CODE16 / 8] = BASED(USER_CODE16, USER_CODE16_BASE),
            [SELECTOR_CONFORMING / 8] = CONFORMING,
        },
    .tss = {.io_map_base = sizeof(struct tss)}, /* none: every port raises #GP in ring 3 */
};

static struct descriptor_tables all_tables[PROCESSORS_MAX];

static void set_tss_descriptor(struct descriptor_tables *tables)
{
    uint64_t base = (uint64_t)(uintptr_t)&tables->tss;
    tables->gdt[SELECTOR_TSS / 8] = (sizeof(struct tss) - 1) | (base & 0xffffff) << 16 |
                                    TSS_PRESENT_AVAILABLE | (base >> 24 & 0xff) << 56;
    tables->gdt[SELECTOR_TSS / 8 + 1] = base >> 32;
}

struct descriptor_tables *descriptors_load(unsigned processor)
{
    struct descriptor_tables *tables = &all_tables[processor];
    *tables = at_first;
    tables->tss.rsp[0] = stack_top(processor, STACK_RING0_ENTRY);
    tables->tss.ist[IST_NMI - 1] = stack_top(processor, STACK_NMI);
    tables->tss.ist[IST_DF - 1] = stack_top(processor, STACK_DF);
    tables->tss.ist[IST_MC - 1] = stack_top(processor, STACK_MC);
    tables->tss.ist[IST_DB - 1] = stack_top(processor, STACK_DB);
    tables->tss.ist[IST_INTERCEPT - 1] = stack_top(processor, STACK_INTERCEPT);
    set_tss_descriptor(tables);
    struct table_pointer gdt = {.limit = sizeof(tables->gdt) - 1,
                                .base = (uint64_t)(uintptr_t)tables->gdt};
    insn_lgdt(&gdt);
    insn_load_segments(SELECTOR_KERNEL_CODE, SELECTOR_KERNEL_DATA);
    insn_ltr(SELECTOR_TSS);
    return tables;
}

void call_gate_set(void (*entry)(void))
{
    uint64_t *gate = &this_cpu()->tables->gdt[SELECTOR_CALL_GATE / 8];
    uint64_t address = (uint64_t)(uintptr_t)entry;
    uint64_t low = (address & 0xffff) | (uint64_t)SELECTOR_KERNEL_CODE << 16 | CALL_GATE_DPL3 |
                   (address & 0xffff0000) << 32;

    gate[1] = address >> 32;
    gate[0] = entry != NULL ? low : 0;
}

bool selector_is_64bit_code(uint16_t selector)
{
    const struct descriptor_tables *tables = this_cpu()->tables;

    return selector / 8u < sizeof(tables->gdt) / 8 && tables->gdt[selector / 8u] & CODE_IS_64BIT;
}
