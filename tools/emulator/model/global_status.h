// SPDX-License-Identifier: GPL-2.0-or-later
/* IA32_PERF_GLOBAL_STATUS: the bits above the counters' own (F6.6). */
#ifndef GLOBAL_STATUS_H
#define GLOBAL_STATUS_H

#define STATUS_ARCH_PEBS  (1ull << 54) /* architectural PEBS (F22.31) */
#define STATUS_LBR_FRZ    (1ull << 58) /* version 4 and later */
#define STATUS_CTR_FRZ    (1ull << 59) /* version 4 and later */
#define STATUS_OVF_UNCORE (1ull << 61)
#define STATUS_OVFBUF     (1ull << 62)
#define STATUS_CONDCHGD   (1ull << 63)

#endif
