/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/smis.h"
#include "arch/cpu/apic/smi.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/identity/features.h"
#include "kernel/machine/time.h"

#define WATCH_MICROSECONDS 1000000u
#define GAP_MICROSECONDS   20u /* far more than a poll, less than entry into SMM and RSM */
#define WATCHES_MOST       4u  /* in vain */

static unsigned watches;
static uint32_t gaps;

static uint32_t watch(void)
{
    uint64_t microsecond = time_tsc_per_microsecond();
    uint64_t start = insn_rdtsc(), last = start;
    uint32_t found = 0;

    while (last - start < WATCH_MICROSECONDS * microsecond) {
        uint64_t now = insn_rdtsc();

        found += now - last > GAP_MICROSECONDS * microsecond;
        last = now;
    }
    return found;
}

uint32_t smi_gap_look(void)
{
    if (smi_mark().known || feature_present(FEATURE_HYPERVISOR))
        return 0;
    if (gaps == 0 && watches++ < WATCHES_MOST)
        gaps = watch();
    return gaps;
}

bool smi_gap_found(void)
{
    return gaps > 0;
}

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
