/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/interrupts.h"
#include <stddef.h>
#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/traps/fixup.h"
#include "arch/cpu/traps/idt.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/traps/msr_fault.h"
#include "arch/cpu/traps/user.h"

#define NMI_HANDLERS     8u
#define EXCEPTIONS_LAST  31u
#define CPUID_01_EDX_MCE (1u << 7)
#define CR4_MCE          (1u << 6)

static interrupt_handler handlers[256];
static interrupt_handler nmi_handlers[NMI_HANDLERS];
static void (*fallback_handler)(struct trap_frame *frame);
static void (*unclaimed_handler)(struct trap_frame *frame);

void interrupt_dispatch(struct trap_frame *frame); /* called by interrupt_entry.S */

void interrupt_set_handler(uint8_t vector, interrupt_handler handler)
{
    handlers[vector] = handler;
}

interrupt_handler interrupt_handler_of(uint8_t vector)
{
    return handlers[vector];
}

bool interrupt_has_handler(uint8_t vector)
{
    return handlers[vector] != NULL;
}

void interrupt_add_nmi_handler(interrupt_handler handler)
{
    for (unsigned i = 0; i < NMI_HANDLERS; i++) {
        if (nmi_handlers[i] == NULL) {
            nmi_handlers[i] = handler;
            return;
        }
    }
    __builtin_trap(); /* one too many is a bug */
}

/* Keeps the order of the others. An NMI meanwhile calls one of them twice at worst. */
void interrupt_remove_nmi_handler(interrupt_handler handler)
{
    unsigned at = 0;
    while (at < NMI_HANDLERS && nmi_handlers[at] != handler)
        at++;
    for (; at < NMI_HANDLERS; at++)
        nmi_handlers[at] = at + 1 < NMI_HANDLERS ? nmi_handlers[at + 1] : NULL;
}

void interrupt_set_fallback(void (*fallback)(struct trap_frame *frame))
{
    fallback_handler = fallback;
}

void interrupt_set_unclaimed(void (*take)(struct trap_frame *frame))
{
    unclaimed_handler = take;
}

void interrupt_gate_direct(uint8_t vector, void (*entry)(void), unsigned dpl)
{
    idt_set(vector, (uint64_t)(uintptr_t)entry, dpl, IST_NONE);
}

void interrupt_gate_reset(uint8_t vector)
{
    idt_set_default(vector);
}

void interrupt_gates_reset(void)
{
    for (unsigned vector = 0; vector < 256; vector++)
        idt_set_default((uint8_t)vector);
}

uint64_t interrupt_count(uint8_t vector)
{
    return this_cpu()->interrupt_counts[vector];
}

static bool ask_nmi_handlers(struct trap_frame *frame)
{
    for (unsigned i = 0; i < NMI_HANDLERS && nmi_handlers[i] != NULL; i++)
        if (nmi_handlers[i](frame))
            return true;
    return false;
}

static bool is_exception(const struct trap_frame *frame)
{
    return frame->vector <= EXCEPTIONS_LAST && frame->vector != VECTOR_NMI;
}

/* The order is the header's. */
static bool was_dealt_with(struct trap_frame *frame, uint64_t cr2)
{
    if (is_exception(frame) && fixup_apply(frame))
        return true;
    if (frame->vector == VECTOR_NMI && ask_nmi_handlers(frame))
        return true;
    if (handlers[frame->vector] != NULL && handlers[frame->vector](frame))
        return true;
    if (is_exception(frame) && user_end_with_exception(frame, cr2))
        return true;
    if (is_exception(frame) && msr_fault_handle(frame, false))
        return true;
    if (is_exception(frame) || unclaimed_handler == NULL)
        return false;
    unclaimed_handler(frame);
    return true;
}

void interrupt_dispatch(struct trap_frame *frame)
{
    uint64_t cr2 = frame->vector == VECTOR_PF ? insn_read_cr2() : 0;
    this_cpu()->interrupt_counts[frame->vector]++;
    if (was_dealt_with(frame, cr2))
        return;
    if (this_cpu()->fallback != NULL)
        this_cpu()->fallback(frame);
    if (fallback_handler != NULL) {
        fallback_handler(frame);
        return;
    }
    for (;;) { /* before kernel_main() has registered a fallback */
        insn_cli();
        insn_hlt();
    }
}

/* Without CR4.MCE a machine check shuts the processor down instead of reaching its gate. */
static void machine_check_on(void)
{
    if (insn_cpuid(1, 0).edx & CPUID_01_EDX_MCE)
        insn_write_cr4(insn_read_cr4() | CR4_MCE);
}

void interrupts_init(uint32_t index)
{
    struct descriptor_tables *tables = descriptors_load(index);

    percpu_init(index);
    this_cpu()->tables = tables;
    idt_load();
    machine_check_on();
    user_init();
}
