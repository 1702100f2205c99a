/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/end_screen.h"

#include <stddef.h>

#include "kernel/console_screen.h"
#include "kernel/end_page.h"
#include "kernel/machine.h"
#include "kernel/summary.h"

/* A list, or what was refused, is what somebody wants to read. */
static bool is_worth_a_page(const struct ktap_totals *totals, enum verdict verdict)
{
    return verdict == VERDICT_CRASH || (verdict != VERDICT_ERROR && totals->planned > 0);
}

void end_screen_show(const struct ktap_totals *totals, enum verdict verdict,
                     const struct crash *crash)
{
    static struct screen_page page;
    static struct machine_name machine;
    const struct end_report report = {.verdict = verdict,
                                      .totals = totals,
                                      .summary = summary(),
                                      .machine = &machine,
                                      .crash = crash};

    console_screen_status("", "", COLOUR_PLAIN);
    if (!is_worth_a_page(totals, verdict) || !console_screen_start_page(&page))
        return;
    machine_get_name(&machine);
    end_page_fill(&page, &report);
    console_screen_show_page(&page);
}
