/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/entry_points.h"

#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/traps/user.h"
#include "arch/lib/printf.h"
#include "kernel/report/test.h"

void entry_points_set(const struct workload *workload)
{
    if (workload->syscall_landing)
        user_set_syscall_entry(workload->syscall_landing);
    if (workload->user_int_landing)
        interrupt_gate_direct(VECTOR_USER_INT, workload->user_int_landing, 3);
    if (workload->kernel_int_landing)
        interrupt_gate_direct(VECTOR_WORKLOAD_INT, workload->kernel_int_landing, 0);
    if (workload->gate_landing)
        interrupt_gate_direct((uint8_t)workload->gate_vector, workload->gate_landing, 3);
    if (workload->sysenter_landing)
        user_set_sysenter_entry(workload->sysenter_landing);
    if (workload->call_gate_landing)
        call_gate_set(workload->call_gate_landing);
}

void entry_points_reset(const struct workload *workload)
{
    if (workload->syscall_landing)
        user_set_syscall_entry(NULL);
    if (workload->user_int_landing)
        interrupt_gate_reset(VECTOR_USER_INT);
    if (workload->kernel_int_landing)
        interrupt_gate_reset(VECTOR_WORKLOAD_INT);
    if (workload->gate_landing)
        interrupt_gate_reset((uint8_t)workload->gate_vector);
    if (workload->sysenter_landing)
        user_set_sysenter_entry(NULL);
    if (workload->call_gate_landing)
        call_gate_set(NULL);
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
