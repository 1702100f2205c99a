/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several processors have come to is one verdict. */
#include "kernel/run/outcome.h"

#include "tests/host/unit/check.h"

static struct outcome outcome_of(unsigned pass, unsigned fail, unsigned skip, unsigned timeout)
{
    return (struct outcome){.totals = {.run = pass + fail + skip + timeout,
                                       .pass = pass,
                                       .fail = fail,
                                       .skip = skip,
                                       .timeout = timeout}};
}

static void check_sum(void)
{
    struct outcome all = outcome_of(5, 0, 1, 0), one = outcome_of(3, 2, 0, 0);

    all.totals.planned = 11;
    one.totals.planned = 5;
    claim_set_add(&all.broken, "BTS-1");
    claim_set_add(&one.broken, "BTS-2");
    claim_set_add(&one.broken, "BTS-1");
    CHECK(outcome_verdict(&all) == VERDICT_PASS && !outcome_is_whole(&all), "before");
    outcome_add(&all, &one);
    CHECK(outcome_verdict(&all) == VERDICT_FAIL && outcome_is_whole(&all), "behind");
    CHECK(all.totals.pass == 8 && all.totals.fail == 2 && all.totals.planned == 11, "totals");
    CHECK(all.broken.count == 2, "%zu claims", all.broken.count);
}

static void check_verdicts(void)
{
    struct outcome starved = outcome_of(5, 0, 0, 1), nothing = outcome_of(0, 0, 4, 0),
                   elsewhere = outcome_of(1, 0, 1, 0);

    CHECK(outcome_verdict(&starved) == VERDICT_TIMEOUT, "starved");
    CHECK(outcome_verdict(&nothing) == VERDICT_SKIP, "nothing but skips");
    elsewhere.facility_tests = 1;
    CHECK(outcome_verdict(&elsewhere) == VERDICT_SKIP, "none of the facilities");
    elsewhere.facility_tests_met = 1;
    CHECK(outcome_verdict(&elsewhere) == VERDICT_PASS, "one of the facilities");
}

int main(void)
{
    check_sum();
    check_verdicts();
    return check_result();
}
