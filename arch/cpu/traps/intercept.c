/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/intercept.h"
#include <stddef.h>
#include "arch/cpu/memory/stacks.h"
#include "arch/cpu/traps/user.h"

#define EXCEPTIONS 32u

/* IF, TF, NT, RF, VM: what an interrupt gate clears. */
#define RFLAGS_CLEARED_BY_GATE 0x34300ull

struct kept_gate {
    uint64_t entry; /* 0: the common entry */
    unsigned dpl;
    bool taken;
};

static struct kept_gate gates[256];
static const struct intercept *user;
static bool nmi_is_pending; /* came while a trap was being served */

/* Vectors with an error code (F14.5; also virtualization and control-flow exceptions). */
static bool pushes_error_code(uint64_t vector)
{
    return vector < EXCEPTIONS && 0x60227d00u >> vector & 1;
}

static bool is_on_stack(const struct trap_frame *frame, unsigned stack)
{
    uint64_t top = stack_top(this_cpu()->index, stack);

    return frame->rsp > top - STACK_SIZE && frame->rsp <= top;
}

void intercept_deliver(struct trap_frame *frame, uint64_t landing)
{
    uint64_t top = frame->cs & 3 ? this_cpu()->tables->tss.rsp[0] : frame->rsp & ~15ull;
    uint64_t *stack = (uint64_t *)(uintptr_t)top;

    *--stack = frame->ss;
    *--stack = frame->rsp;
    *--stack = frame->rflags;
    *--stack = frame->cs;
    *--stack = frame->rip;
    if (pushes_error_code(frame->vector))
        *--stack = frame->error_code;
    frame->rip = landing;
    frame->cs = SELECTOR_KERNEL_CODE;
    frame->ss = SELECTOR_KERNEL_DATA;
    frame->rsp = (uint64_t)(uintptr_t)stack;
    frame->rflags &= ~RFLAGS_CLEARED_BY_GATE;
}

/* Delivered where the stepped code continues. */
static void deliver_pending_nmi(struct trap_frame *frame)
{
    if (user == NULL || !nmi_is_pending)
        return;
    nmi_is_pending = false;
    frame->vector = VECTOR_NMI;
    user->on_delivery(frame, gates[VECTOR_NMI].entry);
}

static bool on_debug(struct trap_frame *frame)
{
    user->on_debug(frame, gates[VECTOR_DB].entry);
    deliver_pending_nmi(frame);
    return true;
}

/* An exception inside a callback is left to the kernel. */
static bool on_delivery(struct trap_frame *frame)
{
    bool in_callback = is_on_stack(frame, STACK_DB) || is_on_stack(frame, STACK_INTERCEPT);

    if (in_callback) {
        nmi_is_pending |= frame->vector == VECTOR_NMI;
        return frame->vector == VECTOR_NMI;
    }
    user->on_delivery(frame, gates[frame->vector].entry);
    deliver_pending_nmi(frame);
    return true;
}

static bool wants(uint8_t vector)
{
    if (vector == VECTOR_DF)
        return false;
    if (vector >= EXCEPTIONS || vector == VECTOR_NMI || vector == VECTOR_MC)
        return !idt_is_default(vector);
    return true;
}

static void take(uint8_t vector)
{
    unsigned ist = vector == VECTOR_DB ? IST_DB : vector == VECTOR_NMI ? IST_NMI : IST_INTERCEPT;

    gates[vector] = (struct kept_gate){.entry = idt_is_default(vector) ? 0 : idt_entry(vector),
                                       .dpl = idt_dpl(vector),
                                       .taken = true};
    interrupt_set_handler(vector, vector == VECTOR_DB ? on_debug : on_delivery);
    idt_set_common_entry(vector, gates[vector].dpl, ist);
}

static void give_back(uint8_t vector)
{
    const struct kept_gate *gate = &gates[vector];

    if (gate->entry)
        idt_set(vector, gate->entry, gate->dpl, IST_NONE);
    else
        idt_set_default(vector);
    interrupt_set_handler(vector, NULL);
}

void intercept_start(const struct intercept *intercept)
{
    user = intercept;
    nmi_is_pending = false;
    for (unsigned vector = 0; vector < 256; vector++) {
        gates[vector].taken = false;
        if (wants((uint8_t)vector))
            take((uint8_t)vector);
    }
    user_keep_trap_flag(true);
}

void intercept_stop(void)
{
    if (user == NULL)
        return;
    for (unsigned vector = 0; vector < 256; vector++)
        if (gates[vector].taken)
            give_back((uint8_t)vector);
    user_keep_trap_flag(false);
    user = NULL;
}

bool intercept_is_on(void)
{
    return user != NULL;
}
