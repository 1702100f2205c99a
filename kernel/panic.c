/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/panic.h"

#include <stddef.h>

#include "arch/cpu/insn.h"
#include "arch/cpu/percpu.h"
#include "arch/cpu/stacks.h"
#include "kernel/event.h"
#include "kernel/exit.h"
#include "kernel/ktap.h"
#include "kernel/printf.h"
#include "kernel/runner.h"
#include "kernel/watchdog.h"

#define BACKTRACE_DEPTH 24u

static volatile bool in_panic;

static void enter(void)
{
    insn_cli();
    if (in_panic)
        run_exit(VERDICT_CRASH);
    in_panic = true;
    watchdog_disarm(); /* its NMI would go on with the next test, in the middle of the report */
}

static void finish(const char *reason) __attribute__((noreturn));

static void finish(const char *reason)
{
    const char *test = runner_current();

    if (test != NULL)
        ktap_comment(0, "test: %s", test);
    runner_print_notes();
    ktap_bail_out("%s", reason);
    ktap_end(runner_totals(), VERDICT_CRASH);
    run_exit(VERDICT_CRASH);
}

/* A frame pointer is followed only while it points higher up in the stack that it came from. */
static bool is_frame(uint64_t frame, uint64_t above)
{
    uint64_t low, high;

    return frame % 8 == 0 && frame > above && stack_bounds(frame, &low, &high) &&
           frame + 16 <= high;
}

static void print_backtrace(uint64_t rip, uint64_t rbp)
{
    uint64_t above = 0;

    ktap_comment(0, "backtrace:");
    ktap_comment(0, "    %pS", (void *)rip);
    for (unsigned i = 0; i < BACKTRACE_DEPTH && is_frame(rbp, above); i++) {
        const uint64_t *frame = (const uint64_t *)rbp;

        if (frame[1] == 0)
            return;
        ktap_comment(0, "    %pS", (void *)frame[1]);
        above = rbp;
        rbp = frame[0];
    }
}

static void print_registers(const struct trap_frame *f)
{
    ktap_comment(0, "rip %016lx  rsp %016lx  rflags %016lx  cs %02lx  ss %02lx", f->rip, f->rsp,
                 f->rflags, f->cs, f->ss);
    ktap_comment(0, "rax %016lx  rbx %016lx  rcx %016lx  rdx %016lx", f->rax, f->rbx, f->rcx,
                 f->rdx);
    ktap_comment(0, "rsi %016lx  rdi %016lx  rbp %016lx  r8  %016lx", f->rsi, f->rdi, f->rbp,
                 f->r8);
    ktap_comment(0, "r9  %016lx  r10 %016lx  r11 %016lx  r12 %016lx", f->r9, f->r10, f->r11,
                 f->r12);
    ktap_comment(0, "r13 %016lx  r14 %016lx  r15 %016lx", f->r13, f->r14, f->r15);
    ktap_comment(0, "cr0 %016lx  cr2 %016lx  cr3 %016lx  cr4 %016lx", insn_read_cr0(),
                 insn_read_cr2(), insn_read_cr3(), insn_read_cr4());
}

void panic_trap(struct trap_frame *frame)
{
    uint64_t cr2 = insn_read_cr2();
    char reason[EVENT_TEXT_SIZE];

    enter();
    event_format(frame, cr2, this_cpu()->index, reason, sizeof(reason));
    ktap_error("%s", reason);
    print_registers(frame);
    print_backtrace(frame->rip, frame->rbp);
    finish(reason);
}

void panic(const char *format, ...)
{
    char reason[EVENT_TEXT_SIZE];
    va_list arguments;

    enter();
    va_start(arguments, format);
    format_string_v(reason, sizeof(reason), format, arguments);
    va_end(arguments);
    ktap_error("%s", reason);
    print_backtrace((uint64_t)__builtin_return_address(0), *(uint64_t *)__builtin_frame_address(0));
    finish(reason);
}
