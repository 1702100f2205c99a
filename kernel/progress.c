/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/progress.h"

#include "kernel/console_screen.h"
#include "arch/lib/printf.h"
#include "kernel/selection.h"
#include "kernel/time.h"

#define TEXT_SIZE    160u
#define MICROSECONDS 1000000u

void progress_show(const struct progress *p)
{
    char counts[TEXT_SIZE], what[TEXT_SIZE], repetition[TEXT_SIZE] = "";
    char name[TEST_NAME_SIZE];

    format_string(counts, sizeof(counts),
                  "suite %u of %u, test %u of %u, failed so far: %u; this one began after %lu s",
                  p->suite, p->suites, p->number, p->tests, p->failed,
                  time_microseconds_since(p->started) / MICROSECONDS);
    if (p->repetitions > 1)
        format_string(repetition, sizeof(repetition), ", repetition %lu of %lu", p->repetition + 1,
                      p->repetitions);
    format_string(what, sizeof(what), "%s%s", test_full_name(p->test, name), repetition);
    console_screen_status(counts, what, p->failed > 0 ? COLOUR_BAD : COLOUR_GOOD);
}
