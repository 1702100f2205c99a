/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/quiet.h"

#include "arch/cpu/ground/insn.h"
#include "arch/cpu/apic/unclaimed.h"
#include "arch/cpu/traps/trap_frame.h"
#include "arch/lib/printf.h"
#include "kernel/report/test.h"

#define WHY_SIZE 160u

extern const struct quiet_check __quiet_checks_start[], __quiet_checks_end[];

bool quiet_is(char *text, size_t size)
{
    char why[WHY_SIZE] = "";

    for (const struct quiet_check *check = __quiet_checks_start; check < __quiet_checks_end;
         check++) {
        if (!check->is_quiet(why, sizeof(why))) {
            format_string(text, size, "%s: %s", check->name, why);
            return false;
        }
    }
    return true;
}

/* In reverse order, so that interrupts are enabled after their sources are off. */
void quiet_make(void)
{
    for (const struct quiet_check *check = __quiet_checks_end; check > __quiet_checks_start;)
        (--check)->make_quiet();
}

/* Tests begin and end with interrupts enabled and single-stepping off. */
static bool flags_are_quiet(char *why, size_t size)
{
    uint64_t flags = insn_read_rflags();

    if ((flags & RFLAGS_IF) == 0)
        format_string(why, size, "interrupts are off (RFLAGS = 0x%lx)", flags);
    else if ((flags & RFLAGS_TF) != 0)
        format_string(why, size, "single-stepping is on (RFLAGS = 0x%lx)", flags);
    else
        return true;
    return false;
}

/* First ends interrupts that waited for a test's gate, and now have no handler. */
static void make_flags_quiet(void)
{
    if (insn_read_rflags() & RFLAGS_IF)
        return;
    stale_interrupts_end();
    insn_sti();
}

QUIET_CHECK(processor_flags, flags_are_quiet, make_flags_quiet);
