/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads with an OUT in the middle that raises a system management interrupt, or does nothing:
 * that is up to smi_out. After the OUT they wait a few reads of a port (SMI_DELAY_READS), for a
 * chipset may take its time.
 */
#ifndef TESTS_WORKLOADS_SMI_H
#define TESTS_WORKLOADS_SMI_H

#define SMI_HARMLESS_PORT 0x80 /* where firmware shows how far it is; reading it takes 1 us */
#define SMI_DELAY_READS   8

#ifndef __ASSEMBLER__

#include <stdint.h>
#include "tests/workloads/counted.h"
#include "tests/workloads/workload.h"

/* Bits 15:0 the port, 23:16 the value. Writes 0 to SMI_HARMLESS_PORT unless somebody sets it. */
extern uint32_t smi_out;

/* Every near branch, the OUT, two jumps and the way back: in ring 0, and in ring 3 with IOPL 3. */
extern const struct workload workload_kernel_smi, workload_user_smi;

/* The first row of their truth that lies behind the OUT. */
extern const struct transfer kernel_smi_behind[], user_smi_behind[];

/* An OUT each iteration; ring 0. */
extern const struct counted_workload workload_counted_smi;

#endif
#endif
