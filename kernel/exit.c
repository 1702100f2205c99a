/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/exit.h"

#include <stddef.h>

#include "arch/cpu/smp/hold.h"
#include "arch/cpu/ground/insn.h"
#include "arch/lib/printf.h"
#include "kernel/screen/console_screen.h"
#include "kernel/run/worker.h"
#include "kernel/report/machine.h"
#include "kernel/screen/pager.h"
#include "kernel/machine/power.h"
#include "kernel/run/runner.h"
#include "kernel/report/summary.h"
#include "kernel/run/interference.h"
#include "kernel/machine/watchdog.h"

#define DEBUG_EXIT_PORT 0xf4u
#define DEBUG_EXIT_BASE 0x10u /* above the statuses that emulators use themselves */
#define CPUID_FEATURES  1u
#define ECX_HYPERVISOR  (1u << 31)
#define FOOT_SIZE       200u

static enum exit_method method = EXIT_AUTO;
static bool is_exiting;
static struct end_report report; /* data of the final pages */

void exit_choose(enum exit_method chosen)
{
    method = chosen;
}

/* On a real board the port may belong to any device, so only a guest writes it. */
static bool has_hypervisor(void)
{
    return (insn_cpuid(CPUID_FEATURES, 0).ecx & ECX_HYPERVISOR) != 0;
}

static void leave_emulator(enum verdict verdict)
{
    insn_out8(DEBUG_EXIT_PORT, (uint8_t)(DEBUG_EXIT_BASE + verdict));
}

static void say_below(const char *what, const char *why, enum console_colour colour)
{
    static char foot[FOOT_SIZE];

    format_string(foot, sizeof(foot), "%s%s%s", what, *why != '\0' ? ": " : "", why);
    report.foot = foot;
    console_screen_status(what, why, colour);
    pager_again();
}

static void halt(void) __attribute__((noreturn));

static void halt(void)
{
    for (;;) {
        insn_cli();
        insn_hlt(); /* an NMI wakes it up */
    }
}

/* Repeats the verdict after the report, because the log must end with it. */
static void stay(enum verdict verdict, const char *what, const char *why)
{
    ktap_comment(0, "power: %s: %s", what, why);
    ktap_end(runner_totals(), verdict);
    say_below(what, why, COLOUR_WARNING);
}

/* If no test could run, the screen keeps the log, which says why. */
static void show_pages(const struct ktap_totals *totals, enum verdict verdict,
                       const struct crash *crash)
{
    static struct machine_name machine;

    console_screen_status("", "", COLOUR_PLAIN);
    if (!console_screen_is_open() || (totals->planned == 0 && verdict == VERDICT_ERROR))
        return;
    machine_get_name(&machine);
    report = (struct end_report){.verdict = verdict,
                                 .totals = totals,
                                 .check = ktap_check(),
                                 .summary = summary(),
                                 .machine = &machine,
                                 .progress = progress(),
                                 .crash = crash,
                                 .foot = ""};
    pager_start(&report);
}

void run_end(const struct ktap_totals *totals, enum verdict verdict, const struct crash *crash)
{
    unclaimed_stop();
    summary_end_end();
    ktap_end(totals, verdict);
    show_pages(totals, verdict, crash);
    run_exit(verdict);
}

void run_exit(enum verdict verdict)
{
    insn_cli();
    if (worker_is_here())
        worker_ends();
    frequency_release();
    tsx_abort_release();
    if (method == EXIT_QEMU || (method == EXIT_AUTO && has_hypervisor()))
        leave_emulator(verdict);
    if (is_exiting)
        halt();
    is_exiting = true;
    say_below("the run is over: you may switch off", "", COLOUR_PLAIN);
    watchdog_shutdown();
    if (method == EXIT_ACPI)
        stay(verdict, "still on", power_off());
    if (method == EXIT_RESET)
        stay(verdict, "no reset", power_reset());
    if (pager_run()) {
        const char *why = power_reset();

        report.has_keys = false;
        say_below("no reset", why, COLOUR_WARNING);
    }
    halt();
}

bool run_is_over(void)
{
    return is_exiting;
}
