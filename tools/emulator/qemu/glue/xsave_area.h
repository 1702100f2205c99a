// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The area of XSAVES in memory, in the compacted format: what all states share. Component 15 is
 * xsaves.c's; the states that are no part of the debug store are xsave_area.c's.
 */
#ifndef DEBUG_STORE_XSAVE_AREA_H
#define DEBUG_STORE_XSAVE_AREA_H

#include "state.h"

#define STATE_X87  (1ull << 0)
#define STATE_SSE  (1ull << 1)
#define STATE_AVX  (1ull << 2)
#define STATE_PKRU (1ull << 9)
#define STATE_LBR  (1ull << 15)
#define STATES     (STATE_X87 | STATE_SSE | STATE_AVX | STATE_PKRU | STATE_LBR)
#define COMPACTED  (1ull << 63)

/* The header behind the legacy region. */
#define AT_STATE_BV 512
#define AT_COMP_BV  520
#define AT_RESERVED 528
#define AT_EXTENDED 576

struct xsave_area {
    CPUX86State *env;
    target_ulong base;
    uint64_t states; /* that the area has room for: XCOMP_BV */
    uintptr_t return_address;
};

void xsave_put(const struct xsave_area *area, unsigned offset, uint64_t value);
uint64_t xsave_get(const struct xsave_area *area, unsigned offset);

/* Where a state behind the header begins. */
unsigned xsave_offset_of(uint64_t states, uint64_t state);

/* All states that the area has room for, and the header. */
void xsave_save(const struct xsave_area *area);

/* From an area with room for enabled states: those that are wanted. */
void xsave_restore(struct xsave_area *area, uint64_t wanted, uint64_t enabled);

/* The states but for component 15: into the area, out of it, and as RESET leaves them. */
void xsave_put_others(const struct xsave_area *area);
void xsave_get_others(const struct xsave_area *area, uint64_t states);
void xsave_make_others_initial(CPUX86State *env, uint64_t states);

/* Raise the exceptions of every such instruction; anybodys: of one that is allowed above CPL 0. */
void xsave_check(CPUX86State *env, target_ulong base, bool anybodys, uintptr_t return_address);
void xsave_check_header(const struct xsave_area *area, uint64_t enabled);

#endif
