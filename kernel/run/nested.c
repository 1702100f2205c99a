/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/nested.h"

#include "arch/lib/string.h"
#include "kernel/report/context.h"
#include "kernel/report/selection.h"

static struct test_context guest;

/* Poses as a later repetition, because only the first has lines for subtests. */
struct test_context *nested_begin(const struct test_context *host, const struct test *test)
{
    context_start(&guest, test, host->seed, host->repetitions + 1);
    context_repeat(&guest, host->repetition + 1);
    guest.is_summed = host->is_summed;
    return &guest;
}

const struct test *nested_test(const struct test_context *context)
{
    return context->test;
}

/* The subtest may have had errata before this test. */
static void take_errata(struct test_context *host)
{
    size_t used = strlen(host->sub.errata);

    if (used > 0 && used + 1 < sizeof(host->sub.errata))
        host->sub.errata[used++] = ' ';
    errata_format_counts(guest.explained_in_all, host->sub.errata + used,
                         sizeof(host->sub.errata) - used);
    for (size_t row = 0; row < ERRATA_MAX; row++)
        host->explained_in_all[row] += guest.explained_in_all[row];
}

static void take_failure(struct test_context *host)
{
    char name[TEST_NAME_SIZE];

    host->failed = host->sub.failed = true;
    notes_append(&host->notes, &guest.notes);
    notes_append(&host->brief, &guest.brief);
    for (unsigned kind = 0; kind < FINDING_KINDS; kind++)
        host->has_found[kind] |= guest.has_found[kind];
    context_trace_take(host, &guest);
    context_note_always(host, "that was test %s", test_full_name(guest.test, name));
    take_errata(host);
    if (!guest.unexpected)
        return;
    host->unexpected = host->sub.unexpected = true;
    if (host->first_finding[0] == '\0')
        memcpy(host->first_finding, guest.first_finding, sizeof(host->first_finding));
    host->sub.claim = NULL;
    for (size_t i = 0; i < guest.broken.count; i++)
        test_breaks(host, guest.broken.ids[i]);
}

const char *nested_end(struct test_context *host)
{
    context_close(&guest);
    host->checks += guest.checks;
    if (guest.failed)
        take_failure(host);
    return guest.skipped && !guest.failed ? guest.reason : NULL;
}
