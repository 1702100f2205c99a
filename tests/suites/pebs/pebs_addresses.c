/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the instruction pointers in PEBS records right wherever code lies? */
#include "arch/cpu/memory/paging.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/workloads/kinds/registers.h"

#define BIT_FIRST 17u /* above the size of the code */
#define BIT_LAST  46u

static uint64_t code_start(void)
{
    return (uint64_t)registers_run & ~(PAGE_SIZE - 1ull);
}

static uint64_t code_size(void)
{
    uint64_t end = (uint64_t)registers_run_end;

    return (end + PAGE_SIZE - 1 - code_start()) & ~(PAGE_SIZE - 1ull);
}

static void unmap_code(uint64_t address, uint64_t size)
{
    for (uint64_t offset = 0; offset < size; offset += PAGE_SIZE)
        page_alias_unmap(address + offset);
}

/* False where a page is already: it is the image's. */
static bool map_code(uint64_t address)
{
    for (uint64_t offset = 0; offset < code_size(); offset += PAGE_SIZE) {
        if (page_alias_map(address + offset, (const void *)(code_start() + offset)))
            continue;
        unmap_code(address, offset);
        return false;
    }
    return true;
}

static void check_at(struct test_context *t, uint64_t address)
{
    struct sampling sampling = sample_default(sample_best_event(t));

    sampling.moved = address - code_start();
    if (!map_code(address))
        return;
    if (sampling_run(t, &sampling))
        sample_check_all(t, &sampling);
    unmap_code(address, code_size());
    if (test_has_failed(t))
        test_note(t, "the code ran 0x%lx bytes above its place", sampling.moved);
}

/* Each bit alone; in each second repetition as the lowest of those that are set. */
TEST(pebs, at_addresses_of_each_bit, CLAIMS("PEBS-1", "PEBS-4"), NEEDS(PEBS_RECORDS, PMI))
{
    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    for (unsigned bit = BIT_FIRST; bit <= BIT_LAST && !test_has_failed(t); bit++) {
        uint64_t alone = 1ull << bit;

        check_at(t, test_repetition(t) & 1 ? -alone : alone);
    }
}
