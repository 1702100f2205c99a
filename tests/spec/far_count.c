/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/far_count.h"

#include "arch/cpu/identity/models.h"
#include "tests/spec/choices/choices.h"

/* By the models, too: some count instructions so, and not branches. */
static bool far_transfers_may_count_twice(void)
{
    return choice_of(CHOICE_FAR_OVERCOUNT) == VALUE_YES || core_has(OVERCOUNTS_FAR);
}

/* Of hardware interrupts it is never learnt, so that each may. */
uint64_t far_count_excess(uint64_t transfers, uint64_t deliveries)
{
    return deliveries + (far_transfers_may_count_twice() ? transfers + deliveries : 0);
}
