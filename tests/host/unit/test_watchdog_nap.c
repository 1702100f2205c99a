/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a processor halt only where its timer is sure to wake it, and are its nap, its NMI and its
 * time no other's affair? Everything around is made up. */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"
#include "arch/cpu/identity/features.h"

static unsigned halts, pauses;
static unsigned running;
static uint64_t ahead[2]; /* ticks, the TSC of each */
static uint64_t flags, now;
static void (*while_halted)(void);

#define ARCH_CPU_GROUND_INSN_H
static inline void insn_pause(void)
{
    pauses++;
}

static inline void insn_cli(void)
{
}

static inline void insn_sti(void)
{
}

static void insn_sti_hlt(void)
{
    halts++;
    if (while_halted)
        while_halted();
}

static uint64_t insn_read_rflags(void)
{
    return flags;
}

static inline uint64_t insn_rdtsc(void)
{
    return (now += 100) + ahead[running];
}

#include "kernel/machine/watchdog.c"

static bool has_arat;
static uint32_t timer; /* ticks that a look finds left */

static struct cpu processors[2];
static unsigned looks;      /* whether the alarm has come */
static uint32_t started[2]; /* ticks that each processor's timer was last started with */

struct cpu *this_cpu(void)
{
    return &processors[running];
}

bool cpuid_bit_value(struct cpuid_bit bit)
{
    CHECK(bit.leaf == 6 && bit.reg == CPUID_EAX && bit.bit == 2, "leaf %u", bit.leaf);
    return has_arat;
}

enum apic_mode apic_mode(void)
{
    return timer == 0 ? APIC_MODE_ABSENT : APIC_MODE_XAPIC;
}

void apic_timer_start(uint32_t ticks)
{
    started[running] = ticks;
}

uint32_t apic_timer_remaining(void)
{
    return timer;
}

void apic_eoi(void)
{
}

const char *ioapic_init(void)
{
    return "none";
}

const char *ioapic_route_isa(uint8_t irq, enum apic_delivery delivery, uint8_t vector)
{
    (void)irq, (void)delivery, (void)vector;
    return "none";
}

void ioapic_mask_isa(uint8_t irq)
{
    (void)irq;
}

const char *acpi_read_fadt(struct acpi_fadt *out)
{
    (void)out;
    return "none";
}

bool rtc_init(uint8_t day_register, uint8_t month_register)
{
    (void)day_register, (void)month_register;
    return false;
}

bool rtc_alarm_set(uint32_t seconds)
{
    (void)seconds;
    return false;
}

void rtc_tick_start(void)
{
}

void rtc_stop(void)
{
}

bool rtc_interrupt_take(void)
{
    looks++;
    return false;
}

void rtc_restore(void)
{
}

void interrupt_set_handler(uint8_t vector, interrupt_handler handler)
{
    (void)vector, (void)handler;
}

void interrupt_add_nmi_handler(interrupt_handler handler)
{
    (void)handler;
}

void recovery_resume(const struct recovery_point *where, struct trap_frame *frame, int value)
{
    (void)where, (void)frame, (void)value;
}

uint64_t time_now(void)
{
    return insn_rdtsc();
}

bool time_passed(uint64_t deadline_tsc)
{
    return insn_rdtsc() >= deadline_tsc;
}

uint64_t time_deadline_microseconds(uint64_t microseconds)
{
    return now + ahead[running] + microseconds;
}

uint64_t time_tsc_per_microsecond(void)
{
    return 1;
}

bool time_rate_is_known(void)
{
    return true;
}

static void expect(const char *vendor, bool arat, bool halt)
{
    strcpy(cpu_features()->identity.vendor, vendor);
    has_arat = arat;
    halts = pauses = 0;
    watchdog_nap(500);
    CHECK(halts == halt && pauses == !halt, "%s, ARAT %d: %u halts", vendor, arat, halts);
}

static void tick(unsigned number)
{
    struct trap_frame frame = {.rip = 0};

    running = number;
    started[number] = 0;
    on_timer(&frame);
}

/* The second one naps, and both have a tick. */
static void tick_both(void)
{
    uint32_t nap = started[1];

    CHECK(nap > 0, "the nap has %u ticks", nap);
    tick(0);
    CHECK(started[0] > 100 * nap, "the guard's timer: %u ticks, a nap %u", started[0], nap);
    tick(1);
    CHECK(started[1] == nap, "the napping one's timer: %u ticks, a nap %u", started[1], nap);
}

static void expect_naps_apart(void)
{
    running = 0;
    watchdog_arm(1000, NULL);
    running = 1;
    while_halted = tick_both;
    watchdog_nap(10);
    while_halted = NULL;
    CHECK(started[1] == 0, "after its nap the other's timer has %u ticks", started[1]);
    tick(1);
    CHECK(started[1] == 0, "after a late tick the other's timer has %u ticks", started[1]);
    running = 0;
    watchdog_disarm();
}

/* The alarm is the guard's: by its own TSC it is not due yet, by that of another one it is. */
static void expect_nmi_of_another_left_alone(void)
{
    struct trap_frame frame = {.rip = 0};

    running = 0;
    watchdog_arm(1000, NULL);
    running = 1;
    ahead[1] = 2000 * (uint64_t)MICROSECONDS;
    looks = 0;
    CHECK(!on_nmi(&frame) && looks == 0, "the other's NMI is taken for the alarm");
    ahead[1] = 0;
    running = 0;
    watchdog_disarm();
}

int main(void)
{
    timer = UINT32_MAX - 1000;
    watchdog_init(NULL);
    flags = RFLAGS_IF;
    expect("GenuineIntel", false, true);
    expect("GenuineIntel", true, true);
    expect("AuthenticAMD", false, false);
    expect("AuthenticAMD", true, true);
    expect("HygonGenuine", false, false);
    expect_naps_apart();
    expect_nmi_of_another_left_alone();
    flags = 0;
    expect("GenuineIntel", true, false);
    flags = RFLAGS_IF;
    timer = 0;
    watchdog_init(NULL);
    expect("GenuineIntel", true, false);
    return check_result();
}
