/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/protected_code.h"

#include "arch/cpu/traps/trap_frame.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"

/* Access bytes and the flags above a limit: present, ring 0, accessed; 32-bit, in pages. */
#define ACCESS_CODE    0x9bull
#define ACCESS_DATA    0x93ull
#define ACCESS_TASK_32 0x89ull
#define ACCESS_GATE_32 0x8eull
#define FLAG_32        0x4ull
#define FLAG_PAGES     0x8ull
#define SEGMENT_LIMIT  0xffffull

static uint64_t descriptor(uint64_t base, uint64_t access, uint64_t flags)
{
    uint64_t limit_high = flags & FLAG_PAGES ? 0xf : 0;

    return SEGMENT_LIMIT | (base & 0xffffff) << 16 | access << 40 | limit_high << 48 | flags << 52 |
           base >> 24 << 56;
}

uint64_t protected_code_gate(uint64_t offset)
{
    return (offset & 0xffff) | (uint64_t)PROTECTED_CODE_FLAT << 16 | ACCESS_GATE_32 << 40 |
           offset >> 16 << 48;
}

static struct protected_table table(uint32_t address, size_t size)
{
    return (struct protected_table){.limit = (uint16_t)(size - 1),
                                    .base_low = (uint16_t)address,
                                    .base_high = (uint16_t)(address >> 16)};
}

struct protected_far_pointer protected_code_pointer(const uint8_t *start, const uint8_t *label,
                                                    uint16_t selector, uint32_t base)
{
    return (struct protected_far_pointer){
        .offset = (uint32_t)low_code_address(start, (uintptr_t)label) - base,
        .selector = selector,
    };
}

struct protected_mode_data *protected_code_prepare(const uint8_t *code, const uint8_t *enter,
                                                   const uint8_t *leave, const uint8_t *back)
{
    struct protected_mode_data *data =
        (struct protected_mode_data *)((uint8_t *)processor_low_memory() + LOW_DATA);
    uint32_t start = processor_low_address(), here = start + LOW_DATA;

    *data = (struct protected_mode_data){
        .start = start,
        .gdtr = table(here + PROTECTED_GDT, sizeof data->gdt),
        .idtr = table(here + PROTECTED_IDT, sizeof data->idt),
        .enter = protected_code_pointer(code, enter, PROTECTED_CODE_FLAT, 0),
        .leave = protected_code_pointer(code, leave, PROTECTED_CODE_16, start),
        .back = {.ip = (uint16_t)(low_code_address(code, (uintptr_t)back) - start),
                 .cs = (uint16_t)(start >> 4)},
    };
    data->gdt[PROTECTED_CODE_FLAT / 8] = descriptor(0, ACCESS_CODE, FLAG_32 | FLAG_PAGES);
    data->gdt[PROTECTED_CODE_BASED / 8] = descriptor(start, ACCESS_CODE, FLAG_32);
    data->gdt[PROTECTED_CODE_16 / 8] = descriptor(start, ACCESS_CODE, 0);
    data->gdt[PROTECTED_DATA / 8] = descriptor(start, ACCESS_DATA, 0);
    data->gdt[PROTECTED_TASK / 8] = descriptor(here + PROTECTED_TSS, ACCESS_TASK_32, 0);
    return data;
}

struct protected_mode_data *protected_code_list(void)
{
    struct protected_mode_data *data =
        protected_code_prepare(protected_registers, protected_registers_enter,
                               protected_registers_leave, protected_registers_back);

    data->idt[VECTOR_GP] = protected_code_gate(
        low_code_address(protected_registers, (uintptr_t)protected_registers_fault));
    return data;
}

void protected_code_add(struct protected_mode_data *data, uint32_t number, uint64_t value)
{
    struct protected_register *next = data->registers;

    while (next->number)
        next++;
    *next = (struct protected_register){.number = number, .value = value};
}

bool protected_code_write(struct test_context *t, const struct protected_mode_data *data)
{
    const struct real_mode_code code = {protected_registers,
                                        (size_t)(protected_registers_end - protected_registers)};

    if (!other_start_in_real_mode(t, 1, &code))
        return false;
    EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1);
    for (const struct protected_register *one = data->registers; one->number; one++)
        EXPECT(t, MSR_REFUSES, !one->refused, "WRMSR or RDMSR of register %#x raised #GP",
               one->number);
    return true;
}
