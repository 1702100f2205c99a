/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/debug.h"
#include "arch/cpu/insn.h"

uint64_t debug_status_take(void)
{
    uint64_t status = insn_read_dr6();

    insn_write_dr6(DR6_INITIAL);
    return status;
}
