/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/percpu.h"
#include <stddef.h>
#include "arch/cpu/msr.h"

_Static_assert(offsetof(struct cpu, self) == CPU_SELF, "assembly");
_Static_assert(offsetof(struct cpu, kernel_rsp) == CPU_KERNEL_RSP, "assembly");
_Static_assert(offsetof(struct cpu, user_rsp) == CPU_USER_RSP, "assembly");
_Static_assert(offsetof(struct cpu, execute_probe) == CPU_EXECUTE_PROBE, "assembly");

static struct cpu boot_cpu;

void percpu_init(void)
{
    boot_cpu.self = &boot_cpu;
    wrmsr(IA32_GS_BASE, (uint64_t)(uintptr_t)&boot_cpu);
}

struct cpu *this_cpu(void)
{
    struct cpu *self;
    __asm__("movq %%gs:%c1, %0" : "=r"(self) : "i"(CPU_SELF));
    return self;
}
