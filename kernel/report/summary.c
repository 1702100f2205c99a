/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/summary.h"

#include "arch/cpu/memory/private_image.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"

static char log_text[SUMMARY_LOG_SIZE] SHARED_BY_IMAGES; /* of the processor that booted */
static struct summary so_far = {.log = log_text};
static bool is_ending;

void summary_add_failure(const struct test_context *t)
{
    struct failure *failure = &so_far.failures[so_far.failure_count];

    if (so_far.failure_count == SUMMARY_FAILURES)
        return;
    so_far.failure_count++;
    failure->test = t->test;
    failure->cpu_label = t->cpu_label;
    failure->broken = t->broken;
    failure->subtests = t->failed_subtests;
    format_string(failure->subtest, sizeof(failure->subtest), "%s", t->failed_subtest);
    format_string(failure->finding, sizeof(failure->finding), "%s", t->first_finding);
}

void summary_add_skip(enum feature missing)
{
    if (missing < FEATURE_COUNT)
        so_far.missing[missing]++;
    else
        so_far.other_skips++;
}

void summary_add_all(const struct summary *its, const char *there)
{
    for (unsigned i = 0; i < its->failure_count && so_far.failure_count < SUMMARY_FAILURES; i++) {
        so_far.failures[so_far.failure_count] = its->failures[i];
        so_far.failures[so_far.failure_count++].cpu_label = there;
    }
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        so_far.missing[i] += its->missing[i];
    so_far.other_skips += its->other_skips;
}

void summary_begin_end(void)
{
    is_ending = true;
}

void summary_end_end(void)
{
    is_ending = false;
}

/* Each call has whole lines (kernel/report/ktap.h). */
void summary_take_log(const char *text, size_t length)
{
    if (!is_ending || so_far.log_is_cut)
        return;
    so_far.log_is_cut = length > SUMMARY_LOG_SIZE - so_far.log_length;
    if (so_far.log_is_cut)
        return;
    memcpy(log_text + so_far.log_length, text, length);
    so_far.log_length += length;
}

const struct summary *summary(void)
{
    return &so_far;
}
