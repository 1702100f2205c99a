/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are interrupts and NMIs that nobody claims ended and counted, without stopping the run? Runs when
 * named, before the other suites, so that they also come during those.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/apic/device_interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/apic/unclaimed.h"
#include "arch/cpu/traps/user.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/run/other_processor.h"

SUITE(unclaimed, .order = -10);

#define VECTOR_NOBODYS    0x31u
#define VECTOR_SAME_CLASS 0x39u
#define VECTOR_ABOVE      0xf3u
#define TIMER_IRQ         0u
#define KEYBOARD_IRQ      1u
#define KEYBOARD_DATA     0x60u
#define KEYBOARD_STATUS   0x64u
#define KEYBOARD_HAS_BYTE 1u
#define KEYS_MOST         16u
#define PIT_COMMAND       0x43u
#define PIT_CHANNEL_0     0x40u
#define PIT_RATE          0x34u /* channel 0, low then high byte, again and again */
#define SHORT_WAIT        2000u /* microseconds */
#define LONG_WAIT         8000000u
#define RING_3_TURNS      1000000u

static void wait_for(const volatile uint32_t *count, uint32_t wanted, uint64_t microseconds)
{
    struct wait wait = time_wait(microseconds);

    while (*count < wanted && wait_goes_on(&wait))
        insn_pause();
}

static const volatile uint32_t *count_of(uint8_t vector)
{
    return &unclaimed_of(vector)->count;
}

static void send_nmi(void)
{
    uint64_t destination = apic_prepare_self_nmi();

    if (apic_mode() == APIC_MODE_X2APIC)
        wrmsr(APIC_X2_ICR, destination << 32 | APIC_ICR_NMI);
    else
        insn_store32((volatile void *)destination, APIC_ICR_NMI);
}

static void send(uint8_t vector)
{
    if (vector == VECTOR_NMI)
        send_nmi();
    else
        apic_self_ipi(vector);
}

/* Three of each; the last two of a vector wait together for the first one's end. */
static void send_each(void *unused)
{
    static const uint8_t vectors[] = {VECTOR_NOBODYS, VECTOR_SAME_CLASS, VECTOR_ABOVE, VECTOR_NMI};

    (void)unused;
    for (unsigned i = 0; i < sizeof vectors; i++) {
        for (unsigned n = 0; n < 3; n++) {
            uint32_t before = *count_of(vectors[i]);

            send(vectors[i]);
            wait_for(count_of(vectors[i]), before + 1, SHORT_WAIT);
        }
    }
}

static void check_ended(struct test_context *t)
{
    for (unsigned vector = 32; vector < 256; vector++)
        EXPECT(t, SETUP, !apic_in_service((uint8_t)vector), "vector 0x%02x is still in service",
               vector);
}

SELFTEST(unclaimed, they_are_ended_and_counted, CLAIMS(), NEEDS(APIC))
{
    uint32_t before = unclaimed_count(), disturbances = unclaimed_disturbances();

    send_each(NULL);
    EXPECT_EQUAL(t, SETUP, "interrupts counted", unclaimed_count() - before, 12);
    EXPECT_EQUAL(t, SETUP, "disturbances", unclaimed_disturbances() - disturbances, 12);
    check_ended(t);
}

SELFTEST(unclaimed, they_are_counted_on_another_processor, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    uint32_t before = unclaimed_count();

    if (!other_start(t, 1) || !other_run(t, 1, send_each, NULL))
        return;
    EXPECT_EQUAL(t, SETUP, "interrupts counted", unclaimed_count() - before, 12);
    other_stop(t, 1);
}

static __attribute__((section(".user.text"))) void spin_in_ring_3(void)
{
    for (unsigned i = 0; i < RING_3_TURNS; i++)
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Comes as often as the board's timer sends it. */
static bool start_ticks(struct test_context *t)
{
    const char *why = ioapic_route_isa(TIMER_IRQ, APIC_DELIVERY_FIXED, VECTOR_NOBODYS);

    if (why)
        test_skip(t, "the timer's interrupt cannot be let in: %s", why);
    insn_out8(PIT_COMMAND, PIT_RATE);
    insn_out8(PIT_CHANNEL_0, 0); /* the slowest, 18.2 Hz */
    insn_out8(PIT_CHANNEL_0, 0);
    return !why;
}

SELFTEST(unclaimed, ring_3_goes_on_behind_them, CLAIMS(), NEEDS(APIC))
{
    uint32_t before = unclaimed_count();
    uint64_t deadline = time_deadline_microseconds(LONG_WAIT / 4);

    if (!start_ticks(t))
        return;
    while (unclaimed_count() - before < 5 && !time_passed(deadline))
        user_run(USER_ENTRY_IRET, spin_in_ring_3, 0);
    ioapic_mask_isa(TIMER_IRQ);
    EXPECT(t, SETUP, unclaimed_count() - before >= 5, "%u interrupts came",
           unclaimed_count() - before);
}

/* A byte that is not fetched keeps the keyboard's line up, and no other edge comes. */
static void fetch_keys(void)
{
    for (unsigned i = 0; i < KEYS_MOST && insn_in8(KEYBOARD_STATUS) & KEYBOARD_HAS_BYTE; i++)
        insn_in8(KEYBOARD_DATA);
}

/* A key of the keyboard is the button. */
SELFTEST(unclaimed, nmi_of_the_board, CLAIMS(), NEEDS(APIC))
{
    uint32_t before = *count_of(VECTOR_NMI);
    uint64_t deadline = time_deadline_microseconds(LONG_WAIT);
    const char *why = ioapic_route_isa(KEYBOARD_IRQ, APIC_DELIVERY_NMI, 0);

    while (!why && *count_of(VECTOR_NMI) == before && !time_passed(deadline))
        fetch_keys();
    ioapic_mask_isa(KEYBOARD_IRQ);
    if (why)
        test_skip(t, "the keyboard's interrupt cannot be let in: %s", why);
    else if (*count_of(VECTOR_NMI) == before)
        test_skip(t, "nobody pressed a key");
}

/* For the tests that come next, to the end. */
SELFTEST(unclaimed, deliberate_ticks_from_here_on, CLAIMS(), NEEDS(APIC))
{
    start_ticks(t);
}

SELFTEST(unclaimed, deliberate_failure, CLAIMS("BTS-1"), NEEDS(APIC))
{
    static bool has_failed;

    if (has_failed)
        return;
    send(VECTOR_NOBODYS);
    test_fail(t, "failed as if the interrupt had disturbed it");
    has_failed = true;
}

SELFTEST(unclaimed, deliberate_subtest_failure, CLAIMS("BTS-1"), NEEDS(APIC))
{
    static bool has_failed;

    test_plan(t, 2);
    test_begin(t, "BTS-1", "good");
    test_begin(t, "BTS-1", "disturbed");
    if (!has_failed) {
        send(VECTOR_NOBODYS);
        test_fail(t, "failed as if the interrupt had disturbed it");
    }
    has_failed = true;
    test_end(t);
}

SELFTEST(unclaimed, deliberate_storm, CLAIMS(), NEEDS(APIC))
{
    test_note(t, "this note is shown because the run ends");
    for (;;)
        send(VECTOR_NOBODYS);
}

SELFTEST(unclaimed, deliberate_storm_of_nmis, CLAIMS(), NEEDS(APIC))
{
    (void)t;
    for (;;)
        send(VECTOR_NMI);
}

static void storm(void *unused)
{
    (void)unused;
    for (;;)
        send(VECTOR_NOBODYS);
}

SELFTEST(unclaimed, deliberate_storm_elsewhere, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    if (other_start(t, 1) && other_run(t, 1, storm, NULL))
        other_stop(t, 1);
}
