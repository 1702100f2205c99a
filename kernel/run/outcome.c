/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/outcome.h"

static struct outcome of_all;

struct outcome *outcome(void)
{
    return &of_all;
}

static void add_totals(struct ktap_totals *all, const struct ktap_totals *one)
{
    all->run += one->run;
    all->pass += one->pass;
    all->fail += one->fail;
    all->skip += one->skip;
    all->xfail += one->xfail;
    all->timeout += one->timeout;
}

void outcome_add_broken(struct outcome *all, const struct claim_set *claims)
{
    for (size_t i = 0; i < claims->count; i++)
        claim_set_add(&all->broken, claims->ids[i]);
}

void outcome_add(struct outcome *all, const struct outcome *one)
{
    add_totals(&all->totals, &one->totals);
    outcome_add_broken(all, &one->broken);
    all->unexpected_passes += one->unexpected_passes;
    all->facility_tests += one->facility_tests;
    all->facility_tests_met += one->facility_tests_met;
}

bool outcome_is_whole(const struct outcome *all)
{
    return all->totals.run == all->totals.planned;
}

bool outcome_is_of_nothing(const struct outcome *all)
{
    return all->totals.skip == all->totals.run ||
           (all->facility_tests > 0 && all->facility_tests_met == 0);
}

enum verdict outcome_verdict(const struct outcome *all)
{
    if (all->totals.fail > 0)
        return VERDICT_FAIL;
    if (all->totals.timeout > 0)
        return VERDICT_TIMEOUT;
    return outcome_is_of_nothing(all) ? VERDICT_SKIP : VERDICT_PASS;
}
