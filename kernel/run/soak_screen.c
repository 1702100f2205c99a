/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/soak_screen.h"

#include "arch/lib/printf.h"
#include "kernel/screen/console_screen.h"
#include "kernel/screen/progress.h"
#include "kernel/run/crew_member.h"
#include "kernel/run/soak.h"
#include "kernel/screen/soak_page.h"

static const char *state_of(const struct member *member)
{
    static const char *const names[] = {
        [MEMBER_WAITS] = "waits", [MEMBER_STARTS] = "starts",         [MEMBER_RUNS] = "runs",
        [MEMBER_DONE] = "done",   [MEMBER_REFUSED] = "does not come", [MEMBER_LOST] = "lost",
    };

    return names[member_state(member)];
}

/* Row 0 is this processor. */
static struct soak_row row_of(unsigned number)
{
    static char name[MEMBER_SUFFIX_SIZE];
    const struct member *member = number > 0 ? crew_member(number - 1) : NULL;

    if (member == NULL)
        return (struct soak_row){place_name() + 1, "", tally_of(0)};
    return (struct soak_row){member_suffix(member, name) + 1, state_of(member),
                             tally_of(member->slot)};
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
                             .rows = 1 + crew_count(),
                             .test = test};

    if (page == NULL)
        return;
    machine_get_name(&machine);
    soak_page_fill(page, &view);
    console_screen_show_page();
}

static void show_below_log(void)
{
    char counts[TALLY_TEXT_SIZE], text[TALLY_TEXT_SIZE];
    struct tally sum = soak_sum();

    format_string(text, sizeof(text), "soak: %lu s", soak_seconds());
    console_screen_status(text, tally_format(&sum, counts),
                          sum.counts[TALLY_FAILURES] > 0 ? COLOUR_BAD : COLOUR_GOOD);
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
