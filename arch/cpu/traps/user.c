/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/user.h"
#include <stddef.h>
#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/traps/trap_frame.h"

/* SYSCALL takes CS from bits 47:32 and SS 8 above; SYSRET CS 16, SS 8 above bits 63:48 (F14.2). */
#define STAR_VALUE ((uint64_t)SELECTOR_USER_CODE32 << 48 | (uint64_t)SELECTOR_KERNEL_CODE << 32)

_Static_assert(SELECTOR_KERNEL_DATA == SELECTOR_KERNEL_CODE + 8, "F14.2");
_Static_assert(SELECTOR_USER_DATA == SELECTOR_USER_CODE32 + 8, "F14.2");
_Static_assert(SELECTOR_USER_CODE == SELECTOR_USER_CODE32 + 16, "F14.2");
_Static_assert((SELECTOR_USER_CODE & ~3) == SELECTOR_KERNEL_CODE + 32, "F14.3");
_Static_assert(offsetof(struct user_result, exception) == 0, "user_entry.S");
_Static_assert(offsetof(struct user_result, fault_address) == 8, "user_entry.S");
_Static_assert(offsetof(struct user_result, rax) == 16, "user_entry.S");
_Static_assert(USER_ENTRY_IRET == 0, "user_entry.S");

/* user_entry.S */
void user_enter(struct user_result *result, void (*entry)(void), uint64_t argument,
                enum user_entry how);
void user_syscall_entry(void);
void user_leave(void);

void user_keep_trap_flag(bool kept)
{
    wrmsr(IA32_FMASK, (kept ? 0 : RFLAGS_TF) | RFLAGS_IF | RFLAGS_DF | RFLAGS_NT | RFLAGS_AC);
}

void user_init(void)
{
    wrmsr(IA32_EFER, rdmsr(IA32_EFER) | EFER_SCE);
    wrmsr(IA32_STAR, STAR_VALUE);
    user_keep_trap_flag(false);
    user_set_syscall_entry(NULL);
}

void user_set_syscall_entry(void (*entry)(void))
{
    wrmsr(IA32_LSTAR, (uint64_t)(uintptr_t)(entry != NULL ? entry : user_syscall_entry));
}

void user_set_sysenter_entry(void (*entry)(void))
{
    wrmsr(IA32_SYSENTER_CS, entry != NULL ? SELECTOR_KERNEL_CODE : 0);
    wrmsr(IA32_SYSENTER_ESP, entry != NULL ? this_cpu()->tables->tss.rsp[0] : 0);
    wrmsr(IA32_SYSENTER_EIP, (uint64_t)(uintptr_t)entry);
}

struct user_result user_run(enum user_entry how, void (*entry)(void), uint64_t argument)
{
    struct user_result result;
    user_enter(&result, entry, argument, how);
    return result;
}

bool user_end_with_exception(struct trap_frame *frame, uint64_t cr2)
{
    struct cpu *cpu = this_cpu();
    if ((frame->cs & 3) != 3 || cpu->kernel_rsp == 0)
        return false;
    frame->rdx = frame->error_code << 32 | frame->vector;
    frame->rcx = cr2;
    frame->rip = (uint64_t)(uintptr_t)user_leave;
    frame->rsp = cpu->kernel_rsp;
    frame->rflags = USER_RFLAGS & ~RFLAGS_IF;
    frame->cs = SELECTOR_KERNEL_CODE;
    frame->ss = SELECTOR_KERNEL_DATA;
    return true;
}
