/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a processor's buffer circular, or does it fill up and interrupt, by its own IA32_DEBUGCTL
 * alone (ISR-4), while another one stands with any other setting and records?
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/spec/observe.h"
#include "tests/run/other_processor.h"

#define TRACING           (DEBUGCTL_TR | DEBUGCTL_BTS)
#define OTHERS_RECORDS    16
#define STAY_MICROSECONDS 1500000 /* more than the other processor's work takes */

/* On the other processor, whose buffer the rounds of its wait fill, or lap. */
static struct {
    uint64_t debugctl;
    const char *refusal;
    bool refused, stop;
    uint32_t ready;
} other;

static void stay(void *unused)
{
    const struct bts_layout layout = {.records = OTHERS_RECORDS, .threshold = BTS_NO_THRESHOLD};
    struct wait wait = time_wait(STAY_MICROSECONDS);

    (void)unused;
    other.refusal = bts_prepare(&layout);
    other.refused = other.refusal || exception_happened(debugctl_write_safe(other.debugctl));
    __atomic_store_n(&other.ready, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&other.stop, __ATOMIC_ACQUIRE) && wait_goes_on(&wait))
        insn_pause();
    debugctl_clear();
}

/* Fewer records than the program makes in the one, more in the other. */
static void check_here(struct test_context *t)
{
    struct run run = {.debugctl = TRACING,
                      .layout = {.records = 7, .threshold = BTS_NO_THRESHOLD},
                      .policy = PMI_COUNT};

    if (!observe_run(t, program_of_workload(&workload_near_branches), &run))
        return;
    run.debugctl |= DEBUGCTL_BTINT;
    run.layout = (struct bts_layout){.records = 128, .threshold = 5};
    observe_run(t, program_of_workload(&workload_near_branches), &run);
}

static void check_beside(struct test_context *t, uint64_t debugctl)
{
    __builtin_memset(&other, 0, sizeof other);
    other.debugctl = debugctl;
    if (!other_begin(t, 1, stay, NULL))
        return;
    if (EXPECT(t, SETUP, other_gets_ready(&other.ready) && !other.refused, "processor 1: %s",
               other.refusal ? other.refusal : "it did not get recording on in time"))
        check_here(t);
    __atomic_store_n(&other.stop, true, __ATOMIC_RELEASE);
    other_wait(t, 1);
}

TEST(processors, buffer_ends_by_its_own_setting, CLAIMS("ISR-4", "T17-6.3"),
     NEEDS(SECOND_PROCESSOR, BTS, PMI))
{
    static const struct {
        const char *name;
        uint64_t debugctl;
    } rows[] = {
        {"beside_btint", TRACING | DEBUGCTL_BTINT},
        {"beside_circular", TRACING},
        {"beside_messages_btint", DEBUGCTL_TR | DEBUGCTL_BTINT},
    };

    if (!other_start(t, 1))
        return;
    TEST_EACH(t, row, rows, "ISR-4", "%s", row->name)
        check_beside(t, row->debugctl);
    other_make_quiet(t, 1);
    other_stop(t, 1);
}
