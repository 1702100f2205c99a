/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/traps/trap_frame.h"

#define GATE_PRESENT        0x80u
#define GATE_INTERRUPT      0x0eu
#define GATE_DPL_SHIFT      5
#define RING3_MAY_INT(dpl_) ((unsigned)(dpl_) << GATE_DPL_SHIFT)

struct gate {
    union {
        struct {
            uint16_t offset_low, selector;
            uint8_t ist, attributes;
            uint16_t offset_middle;
        };
        uint64_t lower;
    };
    uint64_t offset_high;
};

_Static_assert(sizeof(struct gate) == 16, "F14.4");

static struct gate idts[PROCESSORS_MAX][256] __attribute__((aligned(16)));

extern const char interrupt_entry[];
void user_int_entry(void); /* arch/cpu/traps/user_entry.S */

static struct gate *own_idt(void)
{
    return idts[this_cpu()->index];
}

/*
 * An NMI may use the gate while it is changed. All kernel addresses have the same upper half, so
 * one store of the lower half changes the gate.
 */
void idt_set(uint8_t vector, uint64_t entry, unsigned dpl, unsigned ist)
{
    const struct gate wanted = {.offset_low = (uint16_t)entry,
                                .selector = SELECTOR_KERNEL_CODE,
                                .ist = (uint8_t)ist,
                                .attributes =
                                    (uint8_t)(GATE_PRESENT | GATE_INTERRUPT | RING3_MAY_INT(dpl)),
                                .offset_middle = (uint16_t)(entry >> 16),
                                .offset_high = entry >> 32};
    struct gate *gate = &own_idt()[vector];

    __atomic_store_n(&gate->offset_high, wanted.offset_high, __ATOMIC_RELAXED);
    __atomic_store_n(&gate->lower, wanted.lower, __ATOMIC_RELEASE);
}

static unsigned default_ist(uint8_t vector)
{
    switch (vector) {
    case VECTOR_NMI:
        return IST_NMI;
    case VECTOR_DF:
        return IST_DF;
    case VECTOR_MC:
        return IST_MC;
    case VECTOR_DB:
        return IST_DB;
    default:
        return IST_NONE;
    }
}

static uint64_t common_entry_of(uint8_t vector)
{
    return (uint64_t)(uintptr_t)interrupt_entry + (uint64_t)vector * INTERRUPT_ENTRY_SIZE;
}

static uint64_t default_entry(uint8_t vector)
{
    return vector == VECTOR_USER_INT ? (uint64_t)(uintptr_t)user_int_entry
                                     : common_entry_of(vector);
}

void idt_set_default(uint8_t vector)
{
    idt_set(vector, default_entry(vector), vector == VECTOR_USER_INT ? 3 : 0, default_ist(vector));
}

bool idt_is_default(uint8_t vector)
{
    return idt_entry(vector) == default_entry(vector);
}

uint64_t idt_entry(uint8_t vector)
{
    const struct gate *gate = &own_idt()[vector];

    return gate->offset_high << 32 | (uint64_t)gate->offset_middle << 16 | gate->offset_low;
}

unsigned idt_dpl(uint8_t vector)
{
    return own_idt()[vector].attributes >> GATE_DPL_SHIFT & 3u;
}

void idt_set_common_entry(uint8_t vector, unsigned dpl, unsigned ist)
{
    idt_set(vector, common_entry_of(vector), dpl, ist);
}

void idt_load(void)
{
    for (unsigned vector = 0; vector < 256; vector++)
        idt_set_default((uint8_t)vector);
    struct table_pointer pointer = {.limit = sizeof(idts[0]) - 1,
                                    .base = (uint64_t)(uintptr_t)own_idt()};
    insn_lidt(&pointer);
}
