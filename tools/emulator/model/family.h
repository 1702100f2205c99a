// SPDX-License-Identifier: GPL-2.0-or-later
/* Facilities that CPUID does not enumerate, by DisplayFamily and DisplayModel (F8.1, F3.60). */
#ifndef FAMILY_H
#define FAMILY_H

#include "debug_store.h"

/*
 * Events that some families sample, by event and umask. Events with umask 0 are architectural and
 * count on every family; the others count only on families that sample them.
 */
#define PRECISE_C0_00 (1u << 0) /* instructions */
#define PRECISE_C0_01 (1u << 1)
#define PRECISE_C2_01 (1u << 2) /* micro-operations */
#define PRECISE_C4_00 (1u << 3) /* branches */
#define PRECISE_C4_04 (1u << 4)
#define PRECISE_C5_00 (1u << 5) /* mispredicted branches */
#define PRECISE_C5_04 (1u << 6)

/* Which list of events by kind of branch a family has. */
#define BRANCHES_SANDY_BRIDGE (1u << 0)
#define BRANCHES_ICE_LAKE     (1u << 1)
#define BRANCHES_ATOM         (1u << 2)
#define BRANCHES_ALL          0xffu /* an event on every list */

struct family {
    uint8_t lbr_depth;       /* entries; 0: no known LBR stack */
    bool lbr_or_tr;          /* the stack is undefined while TR is set (F2.8) */
    bool lbr_freeze_unsure;  /* the manual contradicts itself on how its stack freezes (D12) */
    bool offcore_response;   /* MSR_OFFCORE_RSP_0 and 1 exist */
    bool pebs_any_event;     /* imprecise events make PEBS records too (claim PEBS-5) */
    bool pebs_fixed;         /* fixed counters make records without the baseline too (F22.17) */
    bool c0_01_on_pmc1;      /* only PMC1 samples C0H/01H by itself (F22.19) */
    bool pebs_checks_index;  /* a PEBS index outside the buffer is reported (F3.66) */
    bool eight_counters;     /* a core has eight, a thread four with Hyper-Threading on (F1.14) */
    bool rtm_known;          /* some models have RTM; microcode may switch it off (F25.11) */
    bool load_latency;       /* MSR_PEBS_LD_LAT_THRESHOLD exists */
    bool frontend;           /* MSR_PEBS_FRONTEND exists */
    bool freeze_or_tr;       /* FREEZE_LBRS_ON_PMI clears TR (F2.7) */
    bool lbr_linear_mispred; /* format 1 of the stack has MISPRED in FROM[63] (L19) */
    uint8_t precise;         /* PRECISE_...: events that it samples, if not pebs_any_event */
    uint8_t branches;        /* BRANCHES_...: its events by kind of branch */
    uint32_t lbr_from;       /* MSR of the first FROM */
    uint32_t lbr_to;         /* MSR of the first TO */
    uint64_t lbr_select;     /* existing bits of MSR_LBR_SELECT; 0: there is no such MSR */
    uint64_t pebs_enable;    /* existing bits of IA32_PEBS_ENABLE, as far as the counters exist */
};

const struct family *family_of(const struct ds_profile *profile);

#endif
