/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/watchdog.h"

#include <stddef.h>

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/apic/device_interrupts.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/lib/printf.h"
#include "kernel/machine/rtc.h"
#include "kernel/machine/time.h"

#define RTC_IRQ              8u
#define CALIBRATION_MICROSEC 10000u
#define CHECK_MICROSEC       50000u
#define SETTLE_MICROSEC      1000u
#define MICROSECONDS         1000000u
#define POSTPONE_MICROSEC    100000u
#define POSTPONED_MOST       20u
#define RELEASE_MICROSEC     5000000u

static bool has_timer, has_alarm;
static uint64_t timer_ticks_per_second;
static char description[128] = "none";

static volatile bool is_checking; /* before the first test all NMIs are ours */
static volatile unsigned ticks_seen;

static volatile bool is_armed;
static const struct recovery_point *volatile point;
static void (*no_way_back)(struct trap_frame *frame);
static bool (*is_called)(void);              /* NULL: the alarm is ours */
static volatile uint64_t earliest, deadline; /* no alarm comes before earliest */
static volatile bool is_held;
static volatile unsigned postponed; /* time-outs while it was held */
static const struct cpu *guard;     /* processor of the armed timer */
static uint64_t place;
static unsigned ring;

/* The timer has 32 bits, which may be too few; on_timer() then starts it again. */
static void start_timer(void)
{
    uint64_t left = deadline - time_now();
    uint64_t ticks;

    if (time_passed(deadline))
        left = 0;
    ticks = left / time_tsc_per_microsecond() * timer_ticks_per_second / MICROSECONDS + 1;
    apic_timer_start(ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks);
}

/* Other processors use their timers only for naps. */
static bool is_guarding(void)
{
    return is_armed && this_cpu() == guard;
}

/* Both legs must come again: on_timer() starts the timer, and this sets the alarm if it came. */
static void postpone(bool is_alarm)
{
    postponed++;
    deadline = time_deadline_microseconds(POSTPONE_MICROSEC);
    if (is_alarm)
        rtc_alarm_set(1);
}

/* The time is up: continues at the recovery point, if any. */
static void fire(struct trap_frame *frame, bool is_alarm)
{
    if (postponed == 0) {
        place = frame->rip;
        ring = frame->cs & 3;
    }
    if (is_held && postponed < POSTPONED_MOST) {
        postpone(is_alarm);
        return;
    }
    is_armed = false;
    this_cpu()->nap_ticks = 0;
    if (point == NULL)
        no_way_back(frame);
    recovery_resume(point, frame, 1);
}

/* An SMI between STI and HLT may let the tick come before HLT, and then only another tick ends the
 * halt. */
static bool on_timer(struct trap_frame *frame)
{
    apic_eoi();
    if (is_guarding() && time_passed(deadline))
        fire(frame, false);
    if (this_cpu()->nap_ticks > 0)
        apic_timer_start(this_cpu()->nap_ticks);
    else if (is_guarding())
        start_timer();
    return true;
}

static bool alarm_came(void)
{
    return is_called != NULL ? is_called() : rtc_interrupt_take() || is_checking;
}

/* Another handler's NMI must pass here with few branches, because they may be recorded. The times
 * are the guarded processor's. */
static bool on_nmi(struct trap_frame *frame)
{
    if ((is_armed && (!time_passed(earliest) || !is_guarding())) || !alarm_came())
        return false;
    ticks_seen++;
    if (is_armed)
        fire(frame, true);
    return true;
}

static void wait_until(uint64_t end)
{
    while (!time_passed(end))
        ;
}

/* Starts the wait after the timer, so that a delay between makes the watchdog late. Early, it would
 * interrupt tests and leave records in their traces. */
static bool calibrate_timer(void)
{
    uint32_t left;

    if (apic_mode() == APIC_MODE_ABSENT)
        return false;
    apic_timer_start(UINT32_MAX);
    wait_until(time_deadline_microseconds(CALIBRATION_MICROSEC));
    left = apic_timer_remaining();
    apic_timer_start(0);
    timer_ticks_per_second = (uint64_t)(UINT32_MAX - left) * (MICROSECONDS / CALIBRATION_MICROSEC);
    return timer_ticks_per_second != 0;
}

/* Boards route the clock's interrupt differently, so it is used only if one arrives. */
static bool alarm_arrives(void)
{
    uint64_t end = time_deadline_microseconds(CHECK_MICROSEC);

    is_checking = true;
    rtc_tick_start();
    while (ticks_seen == 0 && !time_passed(end))
        ;
    rtc_stop();
    wait_until(time_deadline_microseconds(SETTLE_MICROSEC)); /* for a last tick on its way */
    return ticks_seen > 0;
}

static bool init_clock(void)
{
    struct acpi_fadt fadt;

    if (acpi_read_fadt(&fadt) != NULL)
        return rtc_init(0, 0);
    return rtc_init(fadt.day_alarm, fadt.month_alarm);
}

/* Returns NULL, or why the alarm cannot be an NMI. */
static const char *route_alarm(void)
{
    const char *why;

    if (apic_mode() == APIC_MODE_ABSENT)
        return "no local APIC";
    why = ioapic_init();
    if (why != NULL)
        return why;
    if (!init_clock())
        return "the real-time clock does not run";
    interrupt_add_nmi_handler(on_nmi);
    why = ioapic_route_isa(RTC_IRQ, APIC_DELIVERY_NMI, 0);
    if (why != NULL || alarm_arrives())
        return why;
    ioapic_mask_isa(RTC_IRQ);
    rtc_restore();
    return "the interrupt of the real-time clock does not arrive";
}

void watchdog_init(void (*without_point)(struct trap_frame *frame))
{
    const char *why = route_alarm();

    no_way_back = without_point;
    has_alarm = why == NULL;
    has_timer = calibrate_timer();
    if (has_timer)
        interrupt_set_handler(VECTOR_TIMER, on_timer);
    if (has_alarm)
        format_string(description, sizeof(description), "real-time clock alarm as NMI%s",
                      has_timer ? ", APIC timer" : "");
    else
        format_string(description, sizeof(description), "%s; no NMI: %s",
                      has_timer ? "APIC timer" : "none", why);
}

void watchdog_be_called(bool (*asked)(void))
{
    if (!has_alarm)
        interrupt_add_nmi_handler(on_nmi);
    has_alarm = false;
    is_called = asked;
    is_armed = false;
}

const char *watchdog_description(void)
{
    return description;
}

/*
 * Takes a late NMI, which would later have no handler: the alarm's, when the timer ended the test
 * at the same time, or a tick after the check.
 */
static void take_stray_alarms(void)
{
    is_checking = true;
    if (has_alarm)
        rtc_stop();
    is_checking = false;
}

void watchdog_arm(uint64_t seconds, const struct recovery_point *where)
{
    is_armed = false;
    guard = this_cpu();
    take_stray_alarms();
    is_held = false;
    postponed = 0;
    point = where;
    earliest = time_now(); /* of the alarm, whose seconds may begin at other times */
    if (time_rate_is_known())
        earliest = time_deadline_microseconds(seconds * MICROSECONDS / 4 * 3);
    deadline = time_deadline_microseconds(seconds * MICROSECONDS);
    is_armed = true;
    if (has_timer)
        start_timer();
    if (has_alarm)
        rtc_alarm_set((uint32_t)seconds);
}

void watchdog_disarm(void)
{
    is_armed = false;
    if (has_timer)
        apic_timer_start(0);
    if (has_alarm)
        rtc_stop();
}

void watchdog_hold(void)
{
    is_held = true;
}

/* A time-out that was postponed comes again. */
void watchdog_release(void)
{
    uint64_t end = time_deadline_microseconds(RELEASE_MICROSEC);

    is_held = false;
    while (is_armed && postponed > 0 && !time_passed(end))
        insn_pause();
}

/* True if the timer also runs during HLT. On Intel processors HLT enters C1 or C1E, where it does
 * (F11.8a); on others the firmware may choose a state that stops it. */
static bool timer_never_stops(void)
{
    static const struct cpuid_bit arat = {6, CPUID_EAX, 2};

    return has_timer && (identity_is_intel(&cpu_features()->identity) || cpuid_bit_value(arat));
}

void watchdog_nap(uint64_t microseconds)
{
    uint64_t ticks = microseconds * timer_ticks_per_second / MICROSECONDS + 1;

    if (!timer_never_stops() || !(insn_read_rflags() & RFLAGS_IF)) {
        insn_pause();
        return;
    }
    insn_cli();
    this_cpu()->nap_ticks = (uint32_t)ticks;
    apic_timer_start((uint32_t)ticks);
    insn_sti_hlt();
    insn_cli(); /* another interrupt may have ended the nap; no late tick may come */
    this_cpu()->nap_ticks = 0;
    if (is_guarding())
        start_timer();
    else
        apic_timer_start(0);
    insn_sti();
}

uint64_t watchdog_place(void)
{
    return place;
}

unsigned watchdog_ring(void)
{
    return ring;
}

void watchdog_shutdown(void)
{
    watchdog_disarm();
    if (!has_alarm)
        return;
    ioapic_mask_isa(RTC_IRQ);
    rtc_restore();
    has_alarm = false;
}
