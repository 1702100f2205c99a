/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/sums.h"

#include "arch/lib/printf.h"
#include "kernel/report/summary.h"

#define SENTENCES 3u /* at most */

unsigned sums_sentences(char (*lines)[SUMS_LINE], unsigned max)
{
    static struct claim_counts counts;
    unsigned count, i;
    char text[SUMS_LINE];

    summary_count_claims(summary(), &counts);
    count = counts.count < SENTENCES ? counts.count : SENTENCES;
    for (i = 0; i < count && i < max; i++)
        format_string(lines[i], SUMS_LINE, "%u of %u failed tests break: %s",
                      counts.claims[i].tests, summary()->failure_count,
                      claim_text(counts.claims[i].id, text, sizeof(text)));
    return i;
}
