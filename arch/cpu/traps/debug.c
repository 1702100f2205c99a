/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/debug.h"
#include "arch/cpu/ground/insn.h"

uint64_t debug_status_take(void)
{
    uint64_t status = insn_read_dr6();

    insn_write_dr6(DR6_INITIAL);
    return status;
}

bool debug_breakpoints_are_off(void)
{
    return !(insn_read_dr7() & DR7_ENABLES);
}

void debug_breakpoints_clear(void)
{
    insn_write_dr7(DR7_INITIAL);
}
