/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A register that belongs to others: written where it is the uncore's. */
#include "guest.h"

#define MSR_UNCORE_PERF_GLOBAL_CTRL 0x391

guest_main:
        write_msr MSR_UNCORE_PERF_GLOBAL_CTRL, 5
        read_msr MSR_UNCORE_PERF_GLOBAL_CTRL
        print kept
        ret
