// SPDX-License-Identifier: GPL-2.0-or-later
/* What CPUID does not enumerate: facilities by DisplayFamily and DisplayModel (F8.1, F3.60). */
#ifndef FAMILY_H
#define FAMILY_H

#include "debug_store.h"

struct family {
    uint8_t lbr_depth;      /* entries; 0: no LBR stack known */
    bool lbr_or_tr;         /* what the stack holds while TR is set is undefined (F2.8) */
    bool lbr_freeze_unsure; /* the manual contradicts itself on its flavour (D12) */
    bool offcore_response;  /* MSR_OFFCORE_RSP_0 and 1 exist */
    bool pebs_any_event;    /* events that are not precise make PEBS records too (claim PEBS-5) */
    bool pebs_checks_index; /* a PEBS index outside the buffer is reported (F3.66) */
    bool load_latency;      /* MSR_PEBS_LD_LAT_THRESHOLD exists */
    bool frontend;          /* MSR_PEBS_FRONTEND exists */
    uint32_t lbr_from;      /* MSR of the first FROM */
    uint32_t lbr_to;        /* MSR of the first TO */
    uint64_t lbr_select;    /* existing bits of MSR_LBR_SELECT; 0: there is no such MSR */
    uint64_t pebs_enable;   /* existing bits of IA32_PEBS_ENABLE, as far as the counters exist */
};

const struct family *family_of(const struct ds_profile *profile);

#endif
