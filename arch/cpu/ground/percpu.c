/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/ground/percpu.h"
#include <stddef.h>
#include "arch/cpu/ground/msr.h"

_Static_assert(offsetof(struct cpu, self) == CPU_SELF, "assembly");
_Static_assert(offsetof(struct cpu, kernel_rsp) == CPU_KERNEL_RSP, "assembly");
_Static_assert(offsetof(struct cpu, user_rsp) == CPU_USER_RSP, "assembly");
_Static_assert(offsetof(struct cpu, execute_probe) == CPU_EXECUTE_PROBE, "assembly");
_Static_assert(offsetof(struct cpu, view) == CPU_VIEW, "assembly");

struct cpu cpus[PROCESSORS_MAX];

void percpu_init(uint32_t index)
{
    cpus[index].self = &cpus[index];
    cpus[index].index = index;
    cpus[index].view = index;
    wrmsr(IA32_GS_BASE, (uint64_t)(uintptr_t)&cpus[index]);
}

struct cpu *this_cpu(void)
{
    struct cpu *self;
    __asm__("movq %%gs:%c1, %0" : "=r"(self) : "i"(CPU_SELF));
    return self;
}
