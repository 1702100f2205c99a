/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/entry_points.h"

#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/traps/user.h"
#include "arch/lib/printf.h"
#include "kernel/report/test.h"

static void gate(uint32_t vector, void (*landing)(void), unsigned dpl, bool set)
{
    if (landing && set)
        interrupt_gate_direct((uint8_t)vector, landing, dpl);
    else if (landing)
        interrupt_gate_reset((uint8_t)vector);
}

static void change(const struct workload *workload, bool set)
{
    if (workload->syscall_landing)
        user_set_syscall_entry(set ? workload->syscall_landing : NULL);
    gate(VECTOR_USER_INT, workload->user_int_landing, 3, set);
    gate(VECTOR_WORKLOAD_INT, workload->kernel_int_landing, 0, set);
    gate(workload->gate_vector, workload->gate_landing, 3, set);
    if (workload->sysenter_landing)
        user_set_sysenter_entry(set ? workload->sysenter_landing : NULL);
    if (workload->call_gate_landing)
        call_gate_set(set ? workload->call_gate_landing : NULL);
}

void entry_points_set(const struct workload *workload)
{
    change(workload, true);
}

void entry_points_reset(const struct workload *workload)
{
    change(workload, false);
}

/* Whatever the test looks at, it is no result then. */
static bool none_was_missed(char *why, size_t size)
{
    if (debug_exception_missed)
        format_string(why, size, "that of the workload %s did not come", debug_exception_missed);
    return !debug_exception_missed;
}

static void forget_missed(void)
{
    debug_exception_missed = NULL;
}

QUIET_CHECK(debug_exceptions, none_was_missed, forget_missed);
