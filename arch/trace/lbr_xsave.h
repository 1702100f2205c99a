/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural last-branch records by XSAVES and XRSTORS: component 15 holds all their registers,
 * a second way to look at the same (F20.36).
 */
#ifndef ARCH_TRACE_LBR_XSAVE_H
#define ARCH_TRACE_LBR_XSAVE_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/trace/lbr.h"

/* The component as it lies in memory. */
struct lbr_image {
    uint64_t control, depth;
    uint64_t ler_from, ler_to, ler_info;
    struct lbr_raw entries[LBR_DEPTH_MAX];
};

_Static_assert(sizeof(struct lbr_image) == 808, "CPUID.0DH.15:EAX");

/* Component 15 is enabled for the running processor, until the other; both need FEATURE_LBR_XSAVES.
 */
void lbr_xsave_begin(void);
void lbr_xsave_end(void);

/* From the registers to the image, all of it; the exception that came, if any. *used: whether the
 * processor says that the component is in use; else it has written nothing. */
struct exception lbr_xsaves(struct lbr_image *image, bool *used);

/* And back. */
struct exception lbr_xrstors(const struct lbr_image *image);

/* After that: into the very area that was loaded, which still holds what it held. Of what the
 * processor takes for unchanged since XRSTORS it may write nothing. */
struct exception lbr_xsaves_again(struct lbr_image *image);

#endif
