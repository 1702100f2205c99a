/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/recovery.h"
#include <stddef.h>
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/traps/descriptors.h"

_Static_assert(offsetof(struct recovery_point, rsp) == 48, "recovery.S");
_Static_assert(offsetof(struct recovery_point, rip) == 56, "recovery.S");
_Static_assert(offsetof(struct recovery_point, rflags) == 64, "recovery.S");

void recovery_resume(const struct recovery_point *point, struct trap_frame *frame, int value)
{
    frame->rbx = point->rbx;
    frame->rbp = point->rbp;
    frame->r12 = point->r12;
    frame->r13 = point->r13;
    frame->r14 = point->r14;
    frame->r15 = point->r15;
    frame->rax = (uint64_t)(int64_t)value;
    frame->rip = point->rip;
    frame->rsp = point->rsp;
    frame->rflags = point->rflags;
    frame->cs = SELECTOR_KERNEL_CODE;
    frame->ss = SELECTOR_KERNEL_DATA;
    /* Ends what the lost code had begun. */
    this_cpu()->kernel_rsp = 0;
    this_cpu()->execute_probe = 0;
}
