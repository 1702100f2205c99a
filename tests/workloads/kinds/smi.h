/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads with an OUT in the middle that raises a system management interrupt or does nothing, as
 * smi_out says. After the OUT they read a port SMI_DELAY_READS times, because the chipset may be
 * slow.
 */
#ifndef TESTS_WORKLOADS_KINDS_SMI_H
#define TESTS_WORKLOADS_KINDS_SMI_H

#define SMI_HARMLESS_PORT 0x80 /* where firmware displays its progress; a read takes 1 us */
#define SMI_DELAY_READS   8

#ifndef __ASSEMBLER__

#include <stdint.h>
#include "tests/workloads/counted.h"
#include "tests/workloads/workload.h"

/* Bits 15:0 are the port, 23:16 the value. By default 0 to SMI_HARMLESS_PORT. */
extern uint32_t smi_out;

/* Every near branch, the OUT, two jumps and the way back: in ring 0, and in ring 3 with IOPL 3. */
extern const struct workload workload_kernel_smi, workload_user_smi;

/* The first row of their truth after the OUT. */
extern const struct transfer kernel_smi_behind[], user_smi_behind[];

/* An OUT each iteration; ring 0. */
extern const struct counted_workload workload_counted_smi;

#endif
#endif
