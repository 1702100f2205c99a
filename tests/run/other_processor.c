/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/other_processor.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/trace/debugctl.h"
#include "kernel/machine/event.h"
#include "kernel/run/plan.h"
#include "kernel/run/nested.h"
#include "kernel/run/attempts.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"

#define READY_MICROSECONDS 1000000

/* Less than any watchdog on a host that gives half its time, so that the failure can name the other
 * processor. Its work takes milliseconds. */
#define WAIT_MICROSECONDS 1000000
#define NAP_MICROSECONDS  100
#define WHY_SIZE          256

/* For a whole test, in which each of a few interrupts that do not come costs a second: of timeout=,
 * which is 10 s unless more was asked for. */
#define TEST_PART(time) ((time) / 5 * 2)
#define WAITS_MOST      5 /* for a test of many runs */

static void explain_fault(struct test_context *t, unsigned index)
{
    const struct processor_exception *exception = processor_exception(index);
    const struct trap_frame *f = &exception->frame;
    char text[EVENT_TEXT_SIZE];

    test_fail(t, "%s", event_format(f, exception->cr2, index, text, sizeof text));
    test_note(t, "processor %u: rsp %#lx rbp %#lx rflags %#lx cs %#lx", index, f->rsp, f->rbp,
              f->rflags, f->cs);
    test_note(t, "processor %u: rax %#lx rbx %#lx rcx %#lx rdx %#lx rsi %#lx rdi %#lx", index,
              f->rax, f->rbx, f->rcx, f->rdx, f->rsi, f->rdi);
}

static bool judge(struct test_context *t, unsigned index, const char *wrong)
{
    if (!wrong)
        return true;
    if (processor_exception(index))
        explain_fault(t, index);
    else
        test_fail(t, "processor %u: %s", index, wrong);
    processor_stop(index); /* after this failure there is nothing more to do with it */
    return false;
}

bool other_begin(struct test_context *t, unsigned index, processor_function function,
                 void *argument)
{
    return judge(t, index, processor_begin(index, function, argument));
}

/* Asleep, which leaves an emulator's host to the processor that works. */
static void sleep_while_it_works(unsigned index, uint64_t microseconds)
{
    struct wait wait = time_wait(microseconds);

    wait.most = 2 * NAP_MICROSECONDS * time_tsc_per_microsecond();
    while (processor_is_working(index) && wait_goes_on(&wait))
        watchdog_nap(NAP_MICROSECONDS);
}

bool other_wait(struct test_context *t, unsigned index)
{
    sleep_while_it_works(index, WAIT_MICROSECONDS);
    return judge(t, index, processor_wait(index, 1));
}

/* Goes on waiting while runs begin there: a test of many runs may need its part of the time more
 * than once. */
static const char *wait_for_test(unsigned index)
{
    unsigned begun, waits = 0;

    do {
        begun = test_runs_begun(index);
        test_goes_on();
        sleep_while_it_works(index, TEST_PART(test_time_given()));
    } while (processor_is_working(index) && test_runs_begun(index) != begun &&
             ++waits < WAITS_MOST);
    return processor_wait(index, 1);
}

bool other_run(struct test_context *t, unsigned index, processor_function function, void *argument)
{
    return other_begin(t, index, function, argument) && other_wait(t, index);
}

bool other_gets_ready(const uint32_t *ready)
{
    struct wait wait = time_wait(READY_MICROSECONDS);

    while (!__atomic_load_n(ready, __ATOMIC_ACQUIRE) && wait_goes_on(&wait))
        insn_pause();
    return __atomic_load_n(ready, __ATOMIC_ACQUIRE);
}

static void make_quiet(void *unused)
{
    (void)unused;
    quiet_make();
}

bool other_start_in_real_mode(struct test_context *t, unsigned index,
                              const struct real_mode_code *first)
{
    return judge(t, index, processor_start(index, first));
}

/* TR apart from the rest, so that nothing is recorded here. */
static bool debugctl_refuses(uint64_t value)
{
    bool refused = exception_happened(debugctl_write_safe(value & ~(uint64_t)DEBUGCTL_TR)) ||
                   exception_happened(debugctl_write_safe(value & DEBUGCTL_TR));

    debugctl_clear();
    return refused;
}

bool other_record_in_real_mode(struct test_context *t, unsigned index,
                               const struct real_mode_code *first, uint64_t debugctl)
{
    return EXPECT(t, REFUSAL, !debugctl_refuses(debugctl), "IA32_DEBUGCTL refuses %#lx",
                  debugctl) &&
           other_start_in_real_mode(t, index, first);
}

bool other_make_quiet(struct test_context *t, unsigned index)
{
    return other_run(t, index, make_quiet, NULL);
}

bool other_start(struct test_context *t, unsigned index)
{
    return other_start_in_real_mode(t, index, NULL) && other_make_quiet(t, index);
}

struct quiet_answer {
    bool is_quiet;
    char why[WHY_SIZE];
};

static void ask_quiet(void *argument)
{
    struct quiet_answer *answer = argument;

    answer->is_quiet = quiet_is(answer->why, sizeof answer->why);
}

void other_stop(struct test_context *t, unsigned index)
{
    struct quiet_answer answer = {0};

    if (processor_is_started(index) && other_run(t, index, ask_quiet, &answer) && !answer.is_quiet)
        test_fail(t, "processor %u is not quiet after its work: %s", index, answer.why);
    processor_stop(index);
}

/* Not by other_stop(): what the test left on is that test's failure. */
static void run_body(void *argument)
{
    struct test_context *guest = argument;
    char why[WHY_SIZE];

    if (this_cpu()->index)
        test_time_here(TEST_PART(test_time_given()));
    test_run_body(guest);
    if (!quiet_is(why, sizeof why))
        test_fail(guest, "the processor is not quiet after the test: %s", why);
    quiet_make();
}

const char *other_run_test(struct test_context *t, unsigned index, const struct test *test)
{
    struct test_context *guest = nested_begin(t, test);

    if (!index)
        run_body(guest);
    else if (judge(t, index, processor_begin(index, run_body, guest)))
        judge(t, index, wait_for_test(index));
    return nested_end(t);
}

const char *other_lacks(unsigned index, const struct test *test, char *why, size_t size)
{
    enum feature missing;

    features_view(index);
    missing = feature_missing(test->needs);
    if (missing != FEATURE_COUNT)
        feature_missing_reason(missing, why, size);
    features_view(0);
    return missing != FEATURE_COUNT ? why : NULL;
}

void other_for_each(struct test_context *t, const char *claim,
                    void (*body)(struct test_context *t, unsigned index))
{
    test_plan(t, processor_count() - 1);
    for (unsigned index = 1; index < processor_count(); index++) {
        char why[WHY_SIZE] = "";

        test_begin(t, claim, "processor_%u", index);
        if (other_lacks(index, nested_test(t), why, sizeof why)) {
            test_skip(t, "%s", why);
        } else if (other_start(t, index)) {
            body(t, index);
            other_stop(t, index);
        }
        test_end(t);
    }
}
