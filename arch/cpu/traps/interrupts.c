/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/interrupts.h"
#include <stddef.h>
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/traps/user.h"
#include "arch/lib/printf.h"

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

struct extable_entry {
    uint64_t instruction, fixup;
    uint64_t is_msr_fault; /* msr_fault.c is called first */
};

extern const struct extable_entry __extable_start[], __extable_end[];

/* A struct exception is returned in RAX, which the assembly does not change. */
_Static_assert(sizeof(struct exception) == 8 && offsetof(struct exception, error_code) == 4,
               "RAX layout");

static uint64_t exception_in_register(const struct trap_frame *frame)
{
    return frame->error_code << 32 | frame->vector;
}

static const struct extable_entry *find_entry(uint64_t rip)
{
    for (const struct extable_entry *entry = __extable_start; entry < __extable_end; entry++)
        if (entry->instruction == rip)
            return entry;
    return NULL;
}

static uint64_t find_fixup(struct trap_frame *frame)
{
    const struct extable_entry *entry = find_entry(frame->rip);
    if (entry != NULL)
        return !entry->is_msr_fault || msr_fault_handle(frame, true) ? entry->fixup : 0;
    /* A faulting fetch reports its target address, which no table can hold. */
    uint64_t probe_rsp = this_cpu()->execute_probe;
    if (probe_rsp != 0 && probe_rsp == frame->rsp)
        return (uint64_t)(uintptr_t)probe_execute_fixup;
    return 0;
}

/* Continues at the fixup of the frame's instruction (function.h), if it has one. */
static bool fixup_apply(struct trap_frame *frame)
{
    if ((frame->cs & 3) != 0)
        return false;
    uint64_t fixup = find_fixup(frame);
    if (fixup == 0)
        return false;
    frame->rip = fixup;
    frame->rax = exception_in_register(frame);
    return true;
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

_Static_assert(offsetof(struct recovery_point, rsp) == 48, "interrupt_entry.S");
_Static_assert(offsetof(struct recovery_point, rip) == 56, "interrupt_entry.S");
_Static_assert(offsetof(struct recovery_point, rflags) == 64, "interrupt_entry.S");

void recovery_resume(const struct recovery_point *point, struct trap_frame *frame, int value)
{
    frame->rbx = point->rbx;
    frame->rbp = point->rbp;
    frame->r12 = point->r12;
    frame->r13 = point->r13;
    frame->r14 = point->r14;
    frame->r15 = point->r15;
    frame->rax = (uint64_t)(int64_t)value;
    frame->rip = point->rip;
    frame->rsp = point->rsp;
    frame->rflags = point->rflags;
    frame->cs = SELECTOR_KERNEL_CODE;
    frame->ss = SELECTOR_KERNEL_DATA;
    /* Ends what the lost code had begun. */
    this_cpu()->kernel_rsp = 0;
    this_cpu()->execute_probe = 0;
}

/*
 * Events are always delivered through the IDT. FRED (CPUID.07H.1:EAX[17]) is off after reset and
 * stays off (F25.17). Its effect on branch records is documented nowhere (F25.23), so the log says
 * that it was not tried.
 */

#define LEAF_FEATURES   0x07u
#define FEATURES_1_FRED (1u << 17) /* EAX of sub-leaf 1 */

static bool has_fred(void)
{
    return cpu_features()->identity.max_leaf >= LEAF_FEATURES &&
           insn_cpuid(LEAF_FEATURES, 0).eax >= 1 &&
           (insn_cpuid(LEAF_FEATURES, 1).eax & FEATURES_1_FRED);
}

/* It is no feature that a test may need. */
static bool explain(enum feature feature, char *text, size_t size)
{
    (void)feature, (void)text, (void)size;
    return false;
}

static void describe(char *text, size_t size)
{
    format_string(text, size, "%s",
                  has_fred() ? "event delivery: through the IDT; FRED (CPUID.07H.1:EAX[17] = 1) is "
                               "off, CR4[32] = 0, and was not tested"
                             : "");
}

FEATURE_PROBER(event_delivery_prober, NULL, explain, describe);
