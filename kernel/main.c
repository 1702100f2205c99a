/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the loader's hand-over to the verdict. */
#include "arch/cpu/apic/unclaimed.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/hold.h"
#include "arch/cpu/traps/user.h"
#include "arch/cpu/identity/firmware_state.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/apic/device_interrupts.h"
#include "arch/cpu/smp/processors.h"
#include "arch/trace/pmi.h"
#include "boot/boot_info.h"
#include "kernel/run/dry_run.h"
#include "kernel/screen/console_screen.h"
#include "kernel/run/workers.h"
#include "kernel/exit.h"
#include "kernel/console/lab.h"
#include "kernel/console/log_form.h"
#include "kernel/report/machine.h"
#include "kernel/options.h"
#include "kernel/machine/time.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/run/runner.h"
#include "kernel/run/attempts.h"
#include "kernel/run/interference.h"
#include "kernel/machine/watchdog.h"
#include "kernel/machine/usb_handover.h"

#define USB_TEXT_SIZE       240
#define FREQUENCY_TEXT_SIZE 160u
#define WITHOUT_PAGING      (unsigned)(CONSOLE_SERIAL | CONSOLE_DEBUGCON)
#define ONE_PROCESSOR       "cpu=one on the command line: no other is started"

static struct options options;
static char option_error[OPTIONS_ERROR_SIZE];
static bool options_are_good;
static const char *apic_problem;

void kernel_main(void) __attribute__((noreturn)); /* called by boot/ */

/* Returns why no test can run, or NULL. */
static const char *find_obstacle(void)
{
    if (boot_info.error != NULL)
        return boot_info.error;
    if (boot_info.command_line_truncated)
        return "the command line is too long";
    if (!options_are_good)
        return option_error;
    if (apic_problem != NULL)
        return apic_problem;
    if (machine_memory_problem() != NULL)
        return machine_memory_problem();
    /* On bare metal the tests must find what host_check() finds. */
    return feature_present(FEATURE_HYPERVISOR) ? host_check() : NULL;
}

static void refuse(const char *obstacle) __attribute__((noreturn));

static void refuse(const char *obstacle)
{
    static const struct ktap_totals nothing;

    if (!options_are_good) {
        for (size_t i = 0; options_help(i) != NULL; i++)
            ktap_comment(0, "option: %s", options_help(i));
    }
    ktap_error("%s", obstacle);
    run_end(&nothing, VERDICT_ERROR, NULL);
}

/* If there is no UART and no other sink, the screen says so. */
static void find_consoles(void)
{
    console_find(&options);
    if (!console_is_open())
        console_open(CONSOLE_SCREEN);
    options_allow_for_rate(&options, console_slowest_rate());
}

/* Wishes x2APIC mode if the option asks for it or a processor needs it. */
static enum apic_wish wanted_of_apic(void)
{
    if (options.want_x2apic)
        return APIC_X2APIC;
    return processors_need_x2apic() ? APIC_X2APIC_IF_OFFERED : APIC_AS_FOUND;
}

/* Chooses the form of the log from the plan on. */
static void choose_log_form(void)
{
    uint64_t ticks = console_byte_ticks();
    struct log_line line = {
        .has_hypervisor = feature_present(FEATURE_HYPERVISOR),
        .has_debugcon = console_is_in_use(CONSOLE_DEBUGCON),
        .is_there = ticks != 0,
        .is_measured = ticks != UINT64_MAX,
    };
    enum log_form form;
    const char *why;

    if (line.is_measured)
        line.nanoseconds = ticks * 1000 / time_tsc_per_microsecond();
    form = log_form_of(options.log, &line, &why);
    ktap_comment(0, "log: %s%s (%s)", form == LOG_COMPACT ? "compact" : "full",
                 options.has_sums ? ", a checksum behind each line" : "", why);
    ktap_make_compact(form == LOG_COMPACT);
    options_allow_for_line(&options, log_line_takes(&line));
}

static void take_unexpected(struct trap_frame *frame)
{
    if (!test_run_unexpected(frame))
        panic_trap(frame);
}

static void end_by_storm(struct trap_frame *frame, const char *what)
{
    if (frame != NULL)
        panic_because(frame, "%s", what);
    panic("%s", what);
}

static void bring_up(void)
{
    console_add_screen(&console_screen);
    console_serial_choose(&options.serial);          /* port and rate */
    console_open(options.consoles & WITHOUT_PAGING); /* the others need page tables */
    interrupts_init(0);                              /* exceptions are results from here on */
    pic_init();                                      /* mask all other interrupts */
    interrupt_set_unclaimed(unclaimed_take);
    interrupt_set_fallback(take_unexpected); /* an unexpected one is mostly a panic */
    if (!options.dry_run)
        firmware_state_reset();                     /* some change what CPUID says */
    features_probe();                               /* needs the fixups */
    paging_init();                                  /* W^X, guard pages */
    exit_choose(options.exit);                      /* ACPI can be reached now */
    console_open(options.consoles & ~CONSOLE_UART); /* the screen as well */
    console_screen_keep_log(options.consoles & CONSOLE_LOG);
    smi_permit(options.smi);                    /* an SMI is a firmware command */
    time_init();                                /* TSC rate */
    unclaimed_start(end_by_storm);              /* a storm ends the run */
    find_consoles();                            /* UARTs that ACPI names, or the user */
    pace_init();                                /* how fast, undisturbed */
    apic_problem = apic_init(wanted_of_apic()); /* and the 8259s masked */
    processors_init(time_tsc_per_microsecond(), /* counts them, calls none */
                    options.places == PLACES_ONE ? ONE_PROCESSOR : NULL);
    watchdog_init(panic_without_way_back); /* needs time and APIC */
    processors_rest_by(watchdog_nap);      /* idle while one is in INIT */
    stale_interrupts_end();                /* every source is masked now */
    insn_sti();                            /* tests run with interrupts on */
}

/* The last line if the firmware hangs. */
static void say_before_usb(const char *name)
{
    ktap_comment(0, "usb: taking %s from the firmware", name);
}

static void take_usb(void)
{
    char text[USB_TEXT_SIZE];

    if (usb_handover(say_before_usb, text, sizeof(text))[0] != '\0')
        ktap_comment(0, "usb: taken from the firmware, which raises SMIs: %s", text);
}

static void hold_frequency(void)
{
    char text[FREQUENCY_TEXT_SIZE];

    if (!frequency_matters())
        return;
    frequency_hold();
    ktap_comment(0, "frequency: %s", frequency_describe(text, sizeof(text)));
}

static void abort_transactions(void)
{
    tsx_abort_hold();
    if (tsx_abort_held())
        ktap_comment(0, "transactions: all abort until the end, so that microcode leaves PMC3");
}

/* On another processor. */
static void run_worker(const struct options *options, uint64_t soak)
{
    if (!runner_run_worker(options, soak))
        panic("the plan of the processor that booted cannot be made here");
}

void kernel_main(void)
{
    uint64_t entered = time_now();
    struct ktap_totals totals = {0};
    enum verdict verdict;
    const char *obstacle;

    options_are_good = options_parse(boot_info.command_line, &options, option_error);
    if (options.dry_run || !options_are_good)
        dry_run_begin();
    ktap_add_sums(options.has_sums);
    bring_up();
    ktap_open(0, NULL);
    machine_introduce(&options);
    obstacle = find_obstacle();
    if (obstacle == NULL && !options.list && !options.dry_run) {
        pmi_try();
        processors_call(features_probe);
    }
    machine_print(&options);
    choose_log_form();
    if (obstacle == NULL)
        obstacle = workers_obstacle(&options);
    if (obstacle != NULL)
        refuse(obstacle);
    lab_set(options.lab);
    rerun_set_command_line(boot_info.command_line);
    if (!options.list && !options.dry_run) {
        cpu_become(0, 0);
        workers_gather(&options, run_worker);
        if (!options.leave_usb)
            take_usb();
        hold_frequency();
        abort_transactions();
    }
    verdict = runner_run(&options, &totals);
    ktap_comment(0, "time: %lu ms from kernel entry to verdict",
                 time_microseconds_since(entered) / 1000);
    run_end(&totals, verdict, NULL);
}
