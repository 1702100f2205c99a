/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A test that runs, with all that it says kept; for tests of its context. */
#ifndef TESTS_HOST_UNIT_SAMPLE_CONTEXT_H
#define TESTS_HOST_UNIT_SAMPLE_CONTEXT_H

#include "kernel/machine/watchdog.h"
#include "kernel/report/context.h"
#include "kernel/settings.h"
#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

/* No watchdog here; what is held must be released. */
static int holds;

void watchdog_hold(void)
{
    holds++;
}

void watchdog_release(void)
{
    holds--;
}

static struct test_context context;
static struct test_context *const t = &context;

static const struct test sample = {
    .suite = "suite",
    .name = "name",
    .claims = CLAIMS("BTS-1", "BTS-2"),
    .needs = NEEDS(),
    .file = "f.c",
    .line = 1,
};

static inline void start_another(uint64_t repetition)
{
    take_captured();
    context_start(t, &sample, OPTIONS_SEED, 10);
    context_repeat(t, repetition);
}

static inline void start(uint64_t repetition)
{
    alike_begin();
    start_another(repetition);
}

static inline unsigned count_of(const char *text)
{
    unsigned count = 0;

    for (const char *at = captured; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

#endif
