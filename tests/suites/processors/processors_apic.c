/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A start-up message is for a processor that waits for one (F10.35): one that runs goes on with
 * what it does, its local APIC's interrupts and all, after that was off and on again, too.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/run/apic_off_risk.h"
#include "tests/run/other_processor.h"

#define PAGE_SHIFT           12
#define WORKING_MICROSECONDS 1000000u
#define MESSAGE_MICROSECONDS 1000u

struct work {
    bool off_and_on;   /* given */
    const char *wrong; /* found: it does not go off, or not on again */
    volatile bool ready, stop, done;
};

static void go_off_and_on(struct work *work)
{
    struct apic_found ignored;

    insn_cli();
    work->wrong = apic_power_off();
    if (!work->wrong)
        work->wrong = apic_power_on(&ignored);
    insn_sti();
}

static void work_on(void *argument)
{
    uint64_t deadline = time_deadline_microseconds(WORKING_MICROSECONDS);
    struct work *work = argument;

    if (work->off_and_on)
        go_off_and_on(work);
    work->ready = true;
    while (!work->stop && !time_passed(deadline))
        insn_pause();
    work->done = true;
}

static void wait_microseconds(const volatile bool *end, uint64_t microseconds)
{
    uint64_t deadline = time_deadline_microseconds(microseconds);

    while (!*end && !time_passed(deadline))
        insn_pause();
}

static void check_message(struct test_context *t, bool off_and_on)
{
    static struct work work;

    work = (struct work){.off_and_on = off_and_on};
    if (off_and_on && !apic_may_go_off(t))
        return;
    if (!other_start(t, 1) || !other_begin(t, 1, work_on, &work))
        return;
    wait_microseconds(&work.ready, WORKING_MICROSECONDS);
    EXPECT(
        t, SETUP,
        apic_send_startup(processor_apic_id(1), (uint8_t)(processor_low_address() >> PAGE_SHIFT)),
        "the start-up message did not leave");
    wait_microseconds(&work.done, MESSAGE_MICROSECONDS);
    work.stop = true;
    if (!other_wait(t, 1))
        return;
    EXPECT(t, SETUP, work.done, "the processor did not go on with its work");
    if (work.wrong)
        test_skip(t, "%s", work.wrong);
    other_stop(t, 1);
}

TEST(processors, a_running_one_is_not_started, CLAIMS(), NEEDS(SECOND_PROCESSOR, PMI, DS))
{
    TEST_NUMBERS(t, off_and_on, 0, 2, NULL, "%s", off_and_on ? "apic_off_and_on" : "apic_on")
        check_message(t, off_and_on);
}
