/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/user.h"
#include <stddef.h>
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/traps/trap_frame.h"
#include "arch/lib/printf.h"

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

/* ---- host_check() -------------------------------------------------------------------------- */

#define ROUNDS    16u
#define TEXT_SIZE 224u

void host_check_syscall(void); /* user_entry.S */
void host_check_sled(void);
void host_check_split(void);

static const struct piece {
    const char *what;
    void (*entry)(void);
    uint64_t added; /* to its argument */
} pieces[] = {
    {"SYSCALL from ring 3 to an entry in a page of ring 0", host_check_syscall, 0},
    {"instructions of ring 3 on both sides of the end of a page", host_check_sled, 16},
    {"an instruction of ring 3 across the end of a page", host_check_split, 0x1234567890},
};

#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

static bool is_right(const struct user_result *result, uint64_t expected)
{
    return !exception_happened(result->exception) && result->rax == expected;
}

static const char *tell(const struct piece *piece, const struct user_result *result, unsigned wrong)
{
    static char text[TEXT_SIZE];
    format_string(text, sizeof(text),
                  "the hypervisor does not do what every processor does: %s: %s, error code %#x, "
                  "CR2 %#lx, RAX %#lx; wrong %u of %u times",
                  piece->what, exception_name(result->exception), result->exception.error_code,
                  result->fault_address, result->rax, wrong, ROUNDS);
    return text;
}

static const char *check(const struct piece *piece)
{
    struct user_result last = {{0}, 0, 0};
    unsigned wrong = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        enum user_entry how = round % 2 ? USER_ENTRY_SYSRET : USER_ENTRY_IRET;
        struct user_result result = user_run(how, piece->entry, round);
        if (is_right(&result, round + piece->added))
            continue;
        last = result;
        wrong++;
    }
    return wrong > 0 ? tell(piece, &last, wrong) : NULL;
}

const char *host_check(void)
{
    const char *why = NULL;
    if (!feature_present(FEATURE_SYSCALL))
        return NULL;
    for (size_t i = 0; i < PIECES && why == NULL; i++)
        why = check(&pieces[i]);
    return why;
}
