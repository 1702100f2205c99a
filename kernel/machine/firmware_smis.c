/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/firmware_smis.h"

#include "arch/cpu/ground/insn.h"
#include "arch/cpu/apic/smi.h"
#include "kernel/machine/time.h"

#define LOOK_MICROSECONDS 30000u /* several frames of USB, and of its emulation */

enum firmware_smis firmware_smis(void)
{
    struct smi_mark mark = smi_mark();
    struct wait wait = time_wait(LOOK_MICROSECONDS);

    if (!mark.known)
        return SMIS_NOT_COUNTED;
    while (wait_goes_on(&wait))
        insn_pause();
    return smi_count_since(&mark) > 0 ? SMIS_COME : SMIS_NONE;
}
