/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/walk_workloads.h"

#include "arch/cpu/traps/trap_frame.h"
#include "kernel/report/test.h"

struct list {
    const struct workload *const *first, *const *end;
};

static const struct workload *const single_ones[] = {&workload_near_branches, &workload_rings,
                                                     &workload_user_branches,
                                                     &workload_kernel_fault, &workload_user_fault};

static const struct list lists[] = {
    {single_ones, single_ones + COUNT_OF(single_ones)},
    {single_branches, single_branches_end},
    {near_kinds, near_kinds_end},
    {far_transfers, far_transfers_end},
    {software_interrupts, software_interrupts_end},
    {faults, faults_end},
    {compat_transfers, compat_transfers_end},
    {inner_rings, inner_rings_end},
};

/* Not the flags that want something set up, nor the gate at which a refusal would go unheard. */
static bool can_run(const struct workload *workload)
{
    return !workload->flags && !(workload->gate_landing && workload->gate_vector == VECTOR_GP) &&
           !workload->sysenter_landing;
}

static size_t length_of(const struct list *list)
{
    return (size_t)(list->end - list->first);
}

static const struct workload *at_place(size_t place)
{
    const struct list *list = lists;

    while (place >= length_of(list))
        place -= length_of(list++);
    return list->first[place];
}

/* Often one of the large ones; else the next that can run, from this number on around the lists. */
const struct workload *walk_workload(uint32_t number)
{
    size_t total = 0;

    if (number % 4 == 0)
        return single_ones[number / 4 % COUNT_OF(single_ones)];

    for (size_t i = 0; i < COUNT_OF(lists); i++)
        total += length_of(&lists[i]);
    while (!can_run(at_place(number % total)))
        number++;
    return at_place(number % total);
}
