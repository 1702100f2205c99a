/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/exit.h"

#include <stdbool.h>

#include "arch/cpu/insn.h"
#include "kernel/ktap.h"
#include "kernel/power.h"
#include "kernel/runner.h"
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

/* Whoever comes to the screen or the serial line late still finds the result. */
static void halt(enum verdict verdict) __attribute__((noreturn));

static void halt(enum verdict verdict)
{
    if (!is_exiting) {
        is_exiting = true;
        ktap_end(runner_totals(), verdict);
    }
    for (;;) {
        insn_cli();
        insn_hlt(); /* an NMI wakes it up */
    }
}

void run_exit(enum verdict verdict)
{
    insn_cli();
    if (method == EXIT_QEMU || (method == EXIT_AUTO && has_hypervisor()))
        leave_emulator(verdict);
    if (is_exiting)
        halt(verdict);
    watchdog_shutdown();
    if (method == EXIT_ACPI)
        ktap_comment(0, "power: still on: %s", power_off());
    if (method == EXIT_RESET)
        ktap_comment(0, "power: no reset: %s", power_reset());
    halt(verdict);
}
