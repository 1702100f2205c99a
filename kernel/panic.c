/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/exit.h"

#include <stddef.h>

#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/stacks.h"
#include "arch/lib/printf.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/run/attempts.h"
#include "kernel/run/runner.h"
#include "kernel/run/interference.h"
#include "kernel/machine/watchdog.h"

static volatile unsigned crashes;
static struct crash crash;

/* The report of a crash crashed: prints at least the log's end, once. */
static void end_in_short(void) __attribute__((noreturn));

static void end_in_short(void)
{
    if (crashes == 2 && !run_is_over()) {
        ktap_bail_out("%s, and then the report of it crashed", crash.reason);
        ktap_end(runner_totals(), VERDICT_CRASH);
    }
    run_exit(VERDICT_CRASH);
}

static void enter(void)
{
    insn_cli();
    unclaimed_stop();
    if (++crashes > 1)
        end_in_short();
    watchdog_disarm(); /* its NMI would start the next test in the middle of the report */
    if (!ktap_is_open())
        ktap_open(0, NULL); /* the report needs a log, however early */
    crash.test = attempts_current();
    ktap_mute(false); /* the crash may be in a run that has no lines */
}

static void finish(void) __attribute__((noreturn));

static void finish(void)
{
    if (crash.test != NULL)
        ktap_comment(0, "test: %s", crash.test);
    attempts_print_notes();
    unclaimed_print_all();
    ktap_bail_out("%s", crash.reason);
    run_end(runner_totals(), VERDICT_CRASH, &crash);
}

/* Follows a frame pointer only upward within its stack. */
static bool is_frame(uint64_t frame, uint64_t above)
{
    uint64_t low, high;

    return frame % 8 == 0 && frame > above && stack_bounds(frame, &low, &high) &&
           frame + 16 <= high;
}

static void take_backtrace(uint64_t rip, uint64_t rbp)
{
    uint64_t above = 0;

    crash.backtrace[crash.depth++] = rip;
    while (crash.depth < CRASH_DEPTH && is_frame(rbp, above)) {
        const uint64_t *frame = (const uint64_t *)rbp;

        if (frame[1] == 0)
            return;
        crash.backtrace[crash.depth++] = frame[1];
        above = rbp;
        rbp = frame[0];
    }
}

static void take_registers(const struct trap_frame *frame)
{
    crash.has_frame = true;
    crash.frame = *frame;
    crash.cr0 = insn_read_cr0();
    crash.cr2 = insn_read_cr2();
    crash.cr3 = insn_read_cr3();
    crash.cr4 = insn_read_cr4();
}

static void print_backtrace(void)
{
    ktap_comment(0, "backtrace:");
    for (unsigned i = 0; i < crash.depth; i++)
        ktap_comment(0, "    %pS", (void *)crash.backtrace[i]);
}

static void print_registers(void)
{
    const struct trap_frame *f = &crash.frame;

    ktap_comment(0, "rip %016lx  rsp %016lx  rflags %016lx  cs %02lx  ss %02lx", f->rip, f->rsp,
                 f->rflags, f->cs, f->ss);
    ktap_comment(0, "rax %016lx  rbx %016lx  rcx %016lx  rdx %016lx", f->rax, f->rbx, f->rcx,
                 f->rdx);
    ktap_comment(0, "rsi %016lx  rdi %016lx  rbp %016lx  r8  %016lx", f->rsi, f->rdi, f->rbp,
                 f->r8);
    ktap_comment(0, "r9  %016lx  r10 %016lx  r11 %016lx  r12 %016lx", f->r9, f->r10, f->r11,
                 f->r12);
    ktap_comment(0, "r13 %016lx  r14 %016lx  r15 %016lx", f->r13, f->r14, f->r15);
    ktap_comment(0, "cr0 %016lx  cr2 %016lx  cr3 %016lx  cr4 %016lx", crash.cr0, crash.cr2,
                 crash.cr3, crash.cr4);
}

void panic_without_way_back(struct trap_frame *frame)
{
    panic("the watchdog fired while a test was being cleaned up, at %pS", (void *)frame->rip);
}

/* Needs crash.reason and the frame. */
static void report_and_finish(const struct trap_frame *frame) __attribute__((noreturn));

static void report_and_finish(const struct trap_frame *frame)
{
    ktap_error("%s", crash.reason);
    print_registers();
    take_backtrace(frame->rip, frame->rbp);
    print_backtrace();
    finish();
}

void panic_trap(struct trap_frame *frame)
{
    enter();
    take_registers(frame);
    event_format(frame, crash.cr2, this_cpu()->index + cpu_number(), crash.reason,
                 sizeof(crash.reason));
    report_and_finish(frame);
}

void panic_because(struct trap_frame *frame, const char *format, ...)
{
    enter();
    take_registers(frame);
    FORMAT_ARGUMENTS(crash.reason, sizeof(crash.reason), format);
    report_and_finish(frame);
}

void panic(const char *format, ...)
{

    enter();
    FORMAT_ARGUMENTS(crash.reason, sizeof(crash.reason), format);
    ktap_error("%s", crash.reason);
    take_backtrace((uint64_t)__builtin_return_address(0), *(uint64_t *)__builtin_frame_address(0));
    print_backtrace();
    finish();
}
