/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/unclaimed.h"
#include <stddef.h>
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"

#define FIRST_VECTOR 32u /* those below are exceptions' */
#define LOOKS        40u /* polls of the whole APIC; an interrupt comes within one or two */

static bool had[256];

static bool end_interrupt(struct trap_frame *frame)
{
    (void)frame;
    apic_eoi();
    return true;
}

static bool is_waiting(void)
{
    for (unsigned vector = FIRST_VECTOR; vector < 256; vector++)
        if (had[vector] && apic_is_pending((uint8_t)vector))
            return true;
    return false;
}

static void let_in(void)
{
    insn_sti();
    for (unsigned looks = LOOKS; looks > 0 && is_waiting(); looks--)
        insn_pause();
    insn_cli();
}

void stale_interrupts_end(void)
{
    bool any = false;
    if (apic_mode() == APIC_MODE_ABSENT)
        return;
    for (unsigned vector = FIRST_VECTOR; vector < 256; vector++) {
        had[vector] = apic_is_pending((uint8_t)vector) && !interrupt_has_handler((uint8_t)vector);
        any |= had[vector];
        if (had[vector])
            interrupt_set_handler((uint8_t)vector, end_interrupt);
    }
    if (any)
        let_in();
    for (unsigned vector = FIRST_VECTOR; vector < 256; vector++)
        if (had[vector])
            interrupt_set_handler((uint8_t)vector, NULL);
}

bool stale_interrupts_had(uint8_t vector)
{
    return had[vector];
}
