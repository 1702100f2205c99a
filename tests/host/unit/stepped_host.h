/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a generated program on the host, one instruction at a time under TF. The handler does what
 * ring 3 of an operating system may not (CLI, STI, changes of ring).
 */
#ifndef TESTS_HOST_UNIT_STEPPED_HOST_H
#define TESTS_HOST_UNIT_STEPPED_HOST_H

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/traps/user.h"
#include "tests/random/generator.h"
#include "tests/workloads/workload.h"

#define HOST_PASSES_MAX 4
#define HOST_ROWS_MAX   (HOST_PASSES_MAX * GENERATED_STEPS_MAX)

struct host_row { /* one instruction executed */
    unsigned offset, ring;
};

struct host_state { /* before the instruction, as far as a branch depends on it */
    uint64_t rflags, rcx;
};

struct host_run {
    const struct generated *program;
    const struct generated_state *argument; /* for a program in passes, or NULL */
    uint64_t kernel_page, user_page;
    const char *wrong; /* the first error, or NULL */
    unsigned ring;
    size_t steps;
    uint64_t stack_before, stack_after;
    struct host_row rows[HOST_ROWS_MAX];
    struct host_state states[HOST_ROWS_MAX];
};

static struct host_run *host_run_now;

/* host_enter(): TF on, CALL, TF off; the handler sees host_returned and clears TF. */
void host_enter(uint64_t entry, uint64_t *stack_before, const void *argument);
extern const char host_returned[];
__asm__(".text\n"
        "host_enter:\n"
        "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
        "mov %rsp, (%rsi)\n"
        "mov %rdi, %rax\n"
        "mov %rdx, %rdi\n"
        "pushf; orl $0x100, (%rsp); popf\n"
        "call *%rax\n"
        "host_returned:\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\n"
        "ret\n");

static void host_stop(ucontext_t *context, const char *wrong)
{
    if (!host_run_now->wrong)
        host_run_now->wrong = wrong;
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)host_returned;
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)host_run_now->stack_before;
    context->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}

static void host_add(struct host_run *run, struct host_row row, const greg_t *regs)
{
    run->states[run->steps] = (struct host_state){(uint64_t)regs[REG_EFL], (uint64_t)regs[REG_RCX]};
    run->rows[run->steps++] = row;
}

static void host_note(ucontext_t *context)
{
    struct host_run *run = host_run_now;
    uint64_t page = run->ring ? run->user_page : run->kernel_page;
    size_t length = run->ring ? run->program->user_bytes : run->program->kernel_bytes;
    uint64_t rip = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    size_t most = run->program->steps_max * (run->argument ? run->argument->passes : 1);

    if (rip < page || rip - page >= length)
        host_stop(context, "left the page of its ring");
    else if (*(const uint8_t *)rip == 0xcc)
        host_stop(context, "ran into a gap");
    else if (run->steps >= most || run->steps >= HOST_ROWS_MAX)
        host_stop(context, "more steps than promised");
    else
        host_add(run, (struct host_row){(unsigned)(rip - page), run->ring},
                 context->uc_mcontext.gregs);
}

/* The flags that a Jcc tests, which IRET and SYSRET restore. */
#define HOST_FLAGS 0x8d5

static void host_set_flags(greg_t *regs, uint64_t image)
{
    regs[REG_EFL] = (regs[REG_EFL] & ~HOST_FLAGS) | (greg_t)(image & HOST_FLAGS);
}

static void host_iret(greg_t *regs)
{
    const uint64_t *frame = (const uint64_t *)regs[REG_RSP];

    regs[REG_RIP] = (greg_t)frame[0];
    regs[REG_RSP] = (greg_t)frame[3];
    host_set_flags(regs, frame[2]);
    host_run_now->ring = frame[1] & 3;
    if (frame[1] & 3 && (frame[1] != SELECTOR_USER_CODE || frame[4] != SELECTOR_USER_DATA ||
                         frame[2] != USER_RFLAGS))
        host_run_now->wrong = "a bad frame for IRET";
}

static void host_kernel_int(greg_t *regs)
{
    const uint64_t frame[5] = {(uint64_t)regs[REG_RIP] + 2, SELECTOR_KERNEL_CODE,
                               (uint64_t)regs[REG_EFL] & ~0x100ull, (uint64_t)regs[REG_RSP],
                               SELECTOR_KERNEL_DATA};

    regs[REG_RSP] -= (greg_t)sizeof frame;
    memcpy((void *)regs[REG_RSP], frame, sizeof frame);
    regs[REG_RIP] = (greg_t)host_run_now->program->kernel_int_landing;
}

/* Does in the handler what the instruction at RIP does. False if the host can execute it. */
static bool host_emulate(greg_t *regs)
{
    struct host_run *run = host_run_now;
    const uint8_t *code = (const uint8_t *)regs[REG_RIP];
    bool ring3 = run->ring == 3;

    if (!ring3 && code[0] == 0x48 && code[1] == 0xcf) {
        host_iret(regs);
    } else if (!ring3 && code[0] == 0x48 && code[1] == 0x0f && code[2] == 0x07) {
        run->ring = 3;
        regs[REG_RIP] = regs[REG_RCX];
        host_set_flags(regs, (uint64_t)regs[REG_R11]);
    } else if (ring3 && code[0] == 0x0f && code[1] == 0x05) {
        run->ring = 0;
        regs[REG_RCX] = regs[REG_RIP] + 2;
        regs[REG_R11] = regs[REG_EFL] & ~0x100;
        regs[REG_RIP] = (greg_t)run->program->syscall_landing;
    } else if (ring3 && code[0] == 0xcd && code[1] == VECTOR_USER_INT) {
        run->ring = 0;
        regs[REG_RIP] = (greg_t)run->program->user_int_landing;
    } else if (!ring3 && code[0] == 0xcd && code[1] == VECTOR_WORKLOAD_INT) {
        host_kernel_int(regs);
    } else if (!ring3 && (code[0] == 0xfa || code[0] == 0xfb)) {
        regs[REG_RIP]++;
    } else {
        return false;
    }
    return true;
}

static void host_trap(int number, siginfo_t *info, void *context_)
{
    ucontext_t *context = context_;
    greg_t *regs = context->uc_mcontext.gregs;

    (void)number;
    (void)info;
    do {
        if (regs[REG_RIP] == (greg_t)host_returned) {
            host_run_now->stack_after = (uint64_t)regs[REG_RSP];
            regs[REG_EFL] &= ~0x100;
            return;
        }
        host_note(context);
    } while (!host_run_now->wrong && host_emulate(regs));
}

/* Runs the program and fills in *run. */
static void host_step(struct host_run *run)
{
    static uint8_t stack[65536];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = host_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    host_run_now = run;
    sigaltstack(&alternate, NULL);
    sigaction(SIGTRAP, &action, NULL);
    host_enter(run->program->entry, &run->stack_before, run->argument);
    if (!run->wrong && run->stack_after != run->stack_before)
        run->wrong = "the stack is not where it was";
}

#endif
