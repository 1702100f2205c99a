/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/fixup.h"
#include <stddef.h>
#include "arch/cpu/ground/exception.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/ground/probe.h"
#include "arch/cpu/traps/msr_fault.h"

struct extable_entry {
    uint64_t instruction, fixup;
    uint64_t is_msr_fault; /* msr_fault.c is called first */
};

extern const struct extable_entry __extable_start[], __extable_end[];

/* A struct exception is returned in RAX, which the assembly does not change. */
_Static_assert(sizeof(struct exception) == 8 && offsetof(struct exception, error_code) == 4,
               "RAX layout");

static uint64_t exception_in_register(const struct trap_frame *frame)
{
    return frame->error_code << 32 | frame->vector;
}

static const struct extable_entry *find_entry(uint64_t rip)
{
    for (const struct extable_entry *entry = __extable_start; entry < __extable_end; entry++)
        if (entry->instruction == rip)
            return entry;
    return NULL;
}

static uint64_t find_fixup(struct trap_frame *frame)
{
    const struct extable_entry *entry = find_entry(frame->rip);
    if (entry != NULL)
        return !entry->is_msr_fault || msr_fault_handle(frame, true) ? entry->fixup : 0;
    /* A faulting fetch reports its target address, which no table can hold. */
    uint64_t probe_rsp = this_cpu()->execute_probe;
    if (probe_rsp != 0 && probe_rsp == frame->rsp)
        return (uint64_t)(uintptr_t)probe_execute_fixup;
    return 0;
}

bool fixup_apply(struct trap_frame *frame)
{
    if ((frame->cs & 3) != 0)
        return false;
    uint64_t fixup = find_fixup(frame);
    if (fixup == 0)
        return false;
    frame->rip = fixup;
    frame->rax = exception_in_register(frame);
    return true;
}
