/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine check stops recording on the processor that it meets (DS-5). Does another one, which
 * records at that time, go on (ISR-4)? First this processor meets one while the other records, then
 * the other way round.
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/traps/machine_check.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/run/machine_check_run.h"
#include "tests/run/other_processor.h"

#define TRACE               ((uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS))
#define READY_MICROSECONDS  1000000
#define ANSWER_MICROSECONDS 5000000 /* as machine_check_run() has it */

static unsigned came[PROCESSORS_MAX];

static bool on_machine_check(struct trap_frame *frame)
{
    struct machine_check check = machine_check_take();

    (void)frame;
    __atomic_add_fetch(&came[this_cpu()->index], 1, __ATOMIC_ACQ_REL);
    return (check.global_status & MCG_STATUS_RIPV) != 0;
}

static bool has_come(unsigned index)
{
    return __atomic_load_n(&came[index], __ATOMIC_ACQUIRE);
}

/* One processor's part: it records, or does nothing, until a machine check has come somewhere. */
static struct part {
    bool records;
    unsigned victim;
    const char *refusal;
    bool ready;
    uint64_t debugctl; /* found after the machine check */
    size_t stored;     /* records of branches after it */
} here, there;

static bool given_up; /* no machine check was requested */

static void begin(struct part *part)
{
    static const struct bts_layout layout = {.records = MACHINE_CHECK_RECORDS,
                                             .threshold = BTS_NO_THRESHOLD};

    part->refusal = part->records ? bts_prepare(&layout) : NULL;
    if (part->records && !part->refusal && exception_happened(debugctl_write_safe(TRACE)))
        part->refusal = "IA32_DEBUGCTL refuses TR and BTS";
    __atomic_store_n(&part->ready, true, __ATOMIC_RELEASE);
}

static void end(struct part *part)
{
    struct wait wait = time_wait(ANSWER_MICROSECONDS);

    while (!has_come(part->victim) && !part->refusal && wait_goes_on(&wait) &&
           !__atomic_load_n(&given_up, __ATOMIC_ACQUIRE))
        ;
    part->debugctl = debugctl_read();
    if (!part->records || part->refusal)
        return;
    bts_rewind();
    machine_check_branches();
    part->stored = bts_index();
    debugctl_clear();
}

static void be_there(void *unused)
{
    (void)unused;
    machine_check_report();
    begin(&there);
    end(&there);
    machine_check_report_end();
}

static bool is_ready(struct test_context *t)
{
    struct wait wait = time_wait(READY_MICROSECONDS);

    while (!__atomic_load_n(&there.ready, __ATOMIC_ACQUIRE) && wait_goes_on(&wait))
        ;
    return EXPECT(t, SETUP, __atomic_load_n(&there.ready, __ATOMIC_ACQUIRE) && !there.refusal,
                  "processor 1: %s", there.refusal ? there.refusal : "it did not begin in time");
}

static void expect_goes_on(struct test_context *t, unsigned index, const struct part *part)
{
    if (!part->records)
        return;
    EXPECT(t, MSR_VALUE, part->debugctl == TRACE,
           "processor %u: IA32_DEBUGCTL was %#lx and is %#lx after processor %u's machine check",
           index, TRACE, part->debugctl, part->victim);
    EXPECT(t, RECORD_MISSING, part->stored,
           "processor %u stores no records after processor %u's machine check", index,
           part->victim);
}

/* Where both are ready. */
static bool ask(struct test_context *t, unsigned victim)
{
    static const enum lab_services services[] = {LAB_MACHINE_CHECK, LAB_MACHINE_CHECK_OTHER};

    if (!is_ready(t))
        return false;
    begin(&here);
    if (!EXPECT(t, SETUP, !here.refusal, "processor 0: %s", here.refusal))
        return false;
    test_ask_lab(t, services[victim]);
    return true;
}

static void check_victim(struct test_context *t, unsigned victim)
{
    bool asked;

    here = (struct part){.records = victim == 1, .victim = victim};
    there = (struct part){.records = victim == 0, .victim = victim};
    came[victim] = 0;
    given_up = false;
    if (!other_begin(t, 1, be_there, NULL))
        return;
    asked = ask(t, victim);
    __atomic_store_n(&given_up, !asked, __ATOMIC_RELEASE);
    end(&here);
    if (!other_wait(t, 1) || !asked)
        return;
    if (!has_come(victim))
        test_fail(t, "no machine check came to processor %u, though lab= promises one", victim);
    expect_goes_on(t, 0, &here);
    expect_goes_on(t, 1, &there);
}

TEST_UNLESS(machine_check, others_go_on_recording, CLAIMS("DS-5", "ISR-4"),
            NEEDS(SECOND_PROCESSOR, BTS, MCE, MCA), !lab_can(LAB_MACHINE_CHECK_OTHER),
            "nobody injects one into another processor: no lab=machine-check-other")
{
    if (!machine_check_is_possible(t))
        return;
    if (!other_start(t, 1))
        return;
    interrupt_set_handler(VECTOR_MC, on_machine_check);
    machine_check_report();
    TEST_NUMBERS(t, victim, 0, 2, "ISR-4", "processor_%u", victim)
        check_victim(t, victim);
    machine_check_report_end();
    interrupt_set_handler(VECTOR_MC, NULL);
    other_make_quiet(t, 1);
    other_stop(t, 1);
}
