/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/test_elsewhere.h"

#include "kernel/console.h"
#include "kernel/event.h"
#include "kernel/place.h"
#include "kernel/quiet.h"
#include "kernel/time.h"
#include "kernel/watchdog.h"

#define MICROSECONDS     1000000u
#define NAP_MICROSECONDS 100u
#define QUIET_SECONDS    2u
#define HELD_SECONDS     5u /* more, for the line that it is writing */

/* Asleep, which leaves an emulator's host to the processor that works. */
static void wait_for(uint64_t microseconds, bool (*goes_on)(void))
{
    struct wait wait = time_wait(microseconds);

    wait.most = 2 * NAP_MICROSECONDS * time_tsc_per_microsecond();
    while (goes_on() && wait_goes_on(&wait))
        watchdog_nap(NAP_MICROSECONDS);
}

static bool works(void)
{
    return processor_is_working(place());
}

static bool writes(void)
{
    return works() && watchdog_is_held();
}

static void make_quiet(void *unused)
{
    (void)unused;
    quiet_make();
}

/* NULL, or why it is of no use. */
static const char *give(processor_function function, void *argument, uint64_t seconds)
{
    const char *wrong = processor_begin(place(), function, argument);

    if (wrong != NULL)
        return wrong;
    wait_for(seconds * MICROSECONDS, works);
    return processor_wait(place(), 1);
}

/* NULL, or why it does not wait for work, quiet. */
static const char *bring(void)
{
    const char *wrong = NULL;

    if (processor_is_started(place()))
        return NULL;
    wrong = processor_start(place(), NULL);
    return wrong != NULL ? wrong : give(make_quiet, NULL, QUIET_SECONDS);
}

static void stop(void)
{
    processor_stop(place());
    watchdog_release();
    console_fresh_line();
}

static enum elsewhere lost(struct test_context *t, const char *wrong)
{
    const struct processor_exception *exception = processor_exception(place());
    char text[EVENT_TEXT_SIZE];

    t->no_excuse = true;
    if (exception != NULL)
        FIND(t, EXCEPTION, "%s",
             event_format(&exception->frame, exception->cr2, place(), text, sizeof(text)));
    else
        test_fail(t, "processor %u: %s", place(), wrong);
    stop();
    return ELSEWHERE_BROKEN;
}

enum elsewhere elsewhere_run(struct test_context *t, processor_function function, uint64_t seconds)
{
    const char *wrong = bring();

    if (wrong != NULL)
        return lost(t, wrong);
    wrong = give(function, t, seconds);
    if (wrong == NULL)
        return ELSEWHERE_DONE;
    wait_for(HELD_SECONDS * MICROSECONDS, writes);
    if (!works())
        return lost(t, wrong);
    stop();
    return ELSEWHERE_HUNG;
}

void elsewhere_do(processor_function function, void *argument)
{
    if (place() == 0)
        function(argument);
    else if (bring() == NULL)
        give(function, argument, QUIET_SECONDS);
}

void elsewhere_end(void)
{
    processor_stop(place());
}
