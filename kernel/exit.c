/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/exit.h"

#include <stdbool.h>
#include <stddef.h>

#include "arch/cpu/frequency.h"
#include "arch/cpu/insn.h"
#include "kernel/console_screen.h"
#include "kernel/end_page.h"
#include "kernel/ktap.h"
#include "kernel/machine.h"
#include "kernel/power.h"
#include "kernel/runner.h"
#include "kernel/summary.h"
#include "kernel/unclaimed.h"
#include "kernel/watchdog.h"

#define DEBUG_EXIT_PORT 0xf4u
#define DEBUG_EXIT_BASE 0x10u /* keeps clear of the statuses that emulators end with themselves */
#define CPUID_FEATURES  1u
#define ECX_HYPERVISOR  (1u << 31)

static enum exit_method method = EXIT_AUTO;
static bool is_exiting;

void exit_choose(enum exit_method chosen)
{
    method = chosen;
}

/* The port may belong to anything on a real board, so only a hypervisor's guest writes it. */
static bool has_hypervisor(void)
{
    return (insn_cpuid(CPUID_FEATURES, 0).ecx & ECX_HYPERVISOR) != 0;
}

static void leave_emulator(enum verdict verdict)
{
    insn_out8(DEBUG_EXIT_PORT, (uint8_t)(DEBUG_EXIT_BASE + verdict));
}

static void halt(void) __attribute__((noreturn));

static void halt(void)
{
    for (;;) {
        insn_cli();
        insn_hlt(); /* an NMI wakes it up */
    }
}

/* The log ends with its verdict, whatever is said after the first. */
static void stay(enum verdict verdict, const char *what, const char *why)
{
    ktap_comment(0, "power: %s: %s", what, why);
    ktap_end(runner_totals(), verdict);
    console_screen_status(what, why, COLOUR_WARNING);
}

/* A list, or what was refused, is what the person at the screen wants to read. */
static bool is_worth_a_page(const struct ktap_totals *totals, enum verdict verdict)
{
    return verdict == VERDICT_CRASH || (verdict != VERDICT_ERROR && totals->planned > 0);
}

static void show_end_page(const struct ktap_totals *totals, enum verdict verdict,
                          const struct crash *crash)
{
    static struct screen_page page;
    static struct machine_name machine;
    const struct end_report report = {.verdict = verdict,
                                      .totals = totals,
                                      .summary = summary(),
                                      .machine = &machine,
                                      .crash = crash};

    console_screen_status("", "", COLOUR_PLAIN);
    if (!is_worth_a_page(totals, verdict) || !console_screen_start_page(&page))
        return;
    machine_get_name(&machine);
    end_page_fill(&page, &report);
    console_screen_show_page(&page);
}

void run_end(const struct ktap_totals *totals, enum verdict verdict, const struct crash *crash)
{
    unclaimed_stop();
    ktap_end(totals, verdict);
    show_end_page(totals, verdict, crash);
    run_exit(verdict);
}

void run_exit(enum verdict verdict)
{
    insn_cli();
    frequency_release();
    if (method == EXIT_QEMU || (method == EXIT_AUTO && has_hypervisor()))
        leave_emulator(verdict);
    if (is_exiting)
        halt();
    is_exiting = true;
    console_screen_status("the run is over: restart the machine or switch it off", "",
                          COLOUR_PLAIN);
    watchdog_shutdown();
    if (method == EXIT_ACPI)
        stay(verdict, "still on", power_off());
    if (method == EXIT_RESET)
        stay(verdict, "no reset", power_reset());
    halt();
}
