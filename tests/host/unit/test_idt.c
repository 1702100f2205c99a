/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gate of the IDT while it is being changed, looked at after each instruction: whatever comes
 * through it then must find the old one or the new one. */
#include <signal.h>
#include <stdint.h>

#include "tests/host/unit/check.h"

#include "arch/cpu/traps/idt.c"

#define TRAP_FLAG 0x100
#define OLD       0xffffffff8180e020
#define NEW       0xffffffff81911c33

const char interrupt_entry[256 * INTERRUPT_ENTRY_SIZE];
static struct cpu cpu;
static volatile unsigned steps, old_ones, new_ones, others;

struct cpu *this_cpu(void)
{
    return &cpu;
}

void user_int_entry(void)
{
}

static void look(int number)
{
    const struct gate *gate = &idts[0][VECTOR_NMI];
    bool is_whole = gate->selector == SELECTOR_KERNEL_CODE && gate->attributes == 0x8e;

    (void)number;
    steps++;
    if (is_whole && idt_entry(VECTOR_NMI) == OLD && gate->ist == IST_NMI)
        old_ones++;
    else if (is_whole && idt_entry(VECTOR_NMI) == NEW && gate->ist == IST_NONE)
        new_ones++;
    else
        others++;
}

static void set_trap_flag(bool on)
{
    uint64_t flags = __builtin_ia32_readeflags_u64();

    __builtin_ia32_writeeflags_u64(on ? flags | TRAP_FLAG : flags & ~(uint64_t)TRAP_FLAG);
}

static void change_to(uint64_t entry, unsigned ist)
{
    steps = old_ones = new_ones = others = 0;
    set_trap_flag(true);
    idt_set(VECTOR_NMI, entry, 0, ist);
    set_trap_flag(false);
    CHECK(steps > 20 && old_ones && new_ones, "%u steps, %u before, %u behind", steps, old_ones,
          new_ones);
    CHECK(!others, "%u of %u steps find neither the old gate nor the new one", others, steps);
}

int main(void)
{
    signal(SIGTRAP, look);
    idt_set(VECTOR_NMI, OLD, 0, IST_NMI);
    change_to(NEW, IST_NONE);
    change_to(OLD, IST_NMI);
    return check_result();
}
