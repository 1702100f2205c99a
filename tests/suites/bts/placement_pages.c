/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the processor leave the page after a buffer alone that ends at a page boundary (BTS-8)? Its
 * dirty bit shows any write.
 */
#include "arch/cpu/memory/paging.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/observe.h"

#define RECORDS 16
#define BYTES   (RECORDS * BTS_RECORD_SIZE)
#define LENGTH  (2 * RECORDS + 3) /* jumps: twice round the end */

static bool is_dirty;

static const void *page_behind(void)
{
    return bts_records() + RECORDS;
}

static void make_clean(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    paging_set_dirty(page_behind(), false);
}

static void look(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    is_dirty = paging_rights(page_behind()).dirty;
    paging_set_dirty(page_behind(), true);
}

TEST(placement, page_behind_the_buffer_stays_clean, CLAIMS("BTS-8"), NEEDS(BTS))
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .hold_off_interrupts = true,
        .layout = {.records = RECORDS,
                   .threshold = BTS_NO_THRESHOLD,
                   .base_offset = PAGE_SIZE - BYTES},
        .policy = PMI_COUNT,
        .ahead = make_clean,
        .behind = look,
    };

    if (!observe_run(t, program_of_length(LENGTH), &run)) {
        paging_set_dirty(page_behind(), true);
        return;
    }
    EXPECT(t, SETUP, (uint64_t)page_behind() % PAGE_SIZE == 0,
           "the buffer does not end with a page");
    EXPECT(t, STRAY_WRITE, !is_dirty,
           "the page behind the buffer is dirty, and holds nothing of it");
}
