/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/soak_screen.h"

#include "arch/lib/printf.h"
#include "kernel/screen/console_screen.h"
#include "kernel/screen/progress.h"
#include "kernel/run/worker.h"
#include "kernel/run/soak.h"
#include "kernel/screen/soak_page.h"

static const char *state_of(const struct worker *worker)
{
    static const char *const names[] = {
        [WORKER_WAITS] = "waits", [WORKER_STARTS] = "starts",         [WORKER_RUNS] = "runs",
        [WORKER_DONE] = "done",   [WORKER_REFUSED] = "does not come", [WORKER_LOST] = "lost",
    };

    return names[worker_state(worker)];
}

/* Row 0 is this processor. */
static struct soak_row row_of(unsigned number)
{
    static char name[WORKER_SUFFIX_SIZE];
    const struct worker *worker = number > 0 ? worker_at(number - 1) : NULL;

    if (worker == NULL)
        return (struct soak_row){cpu_label_name() + 1, "", soak_stats_of(0)};
    return (struct soak_row){worker_suffix(worker, name) + 1, state_of(worker),
                             soak_stats_of(worker->slot)};
}

static void show_page(const struct test *test)
{
    static struct machine_name machine;
    struct screen_page *page = console_screen_start_page();
    struct soak_view view = {.machine = &machine,
                             .last_failure = soak_last_failure(),
                             .seconds = soak_seconds(),
                             .left = soak_seconds_left(),
                             .sum = soak_sum(),
                             .row = row_of,
                             .rows = 1 + worker_count(),
                             .test = test};

    if (page == NULL)
        return;
    machine_get_name(&machine);
    soak_page_fill(page, &view);
    console_screen_show_page();
}

static void show_below_log(void)
{
    char counts[SOAK_STATS_TEXT_SIZE], text[SOAK_STATS_TEXT_SIZE];
    struct soak_stats sum = soak_sum();

    format_string(text, sizeof(text), "soak: %lu s", soak_seconds());
    console_screen_status(text, soak_stats_format(&sum, counts),
                          sum.counts[SOAK_STATS_FAILURES] > 0 ? COLOUR_BAD : COLOUR_GOOD);
}

static void show(const struct test *test)
{
    if (console_screen_keeps_log())
        show_below_log();
    else
        show_page(test);
}

void soak_screen_begin(void)
{
    progress_begin_soak(show);
}
