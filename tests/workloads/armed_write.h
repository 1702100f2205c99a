/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One WRMSR between the overflow of a PEBS counter and its record. */
#ifndef TESTS_WORKLOADS_ARMED_WRITE_H
#define TESTS_WORKLOADS_ARMED_WRITE_H

#ifndef __ASSEMBLER__

#include "tests/workloads/register_write.h"

/* RDI: the address of a struct register_write; ends by RET. Two jumps are all its branches but for
 * that; the second one, behind the write, and where it leads. */
void armed_write(void);
extern const char armed_write_jump[], armed_write_landing[];

/* Branches from the bracket's CALL to the first jump, both included. */
#define ARMED_WRITE_BRANCHES_BEFORE 2
#define ARMED_WRITE_BRANCHES        4 /* to its RET */

#endif
#endif
