/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "tests/workloads/workload.h"

void bracket_set_debugctl(struct bracket *bracket, uint64_t value)
{
    bracket->msr = IA32_DEBUGCTL;
    bracket->on = debugctl_itself(value);
    bracket->lbr_control = debugctl_lbr_control(value);
}

uint64_t bracket_debugctl(const struct bracket *bracket)
{
    /* A switch that was left alone may have been set by something else. */
    return debugctl_with_lbr(bracket->found,
                             bracket->lbr_control ? bracket->lbr_found : lbr_arch_read_control());
}
