/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The buffer of architectural PEBS: does THRESH raise the interrupt, do EN and FULL stop recording,
 * and is IA32_PEBS_BASE a physical address (F22.30 to F22.32)?
 */
#include "arch/cpu/memory/paging.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/trace_state.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"

/* The default run, and the threshold in bytes. */
static struct sampling sampling_up_to(enum pmu_event event, size_t threshold)
{
    struct sampling sampling = sample_default(event);

    sampling.arch.threshold = threshold;
    return sampling;
}

/* WR reaches the threshold or not: that many interrupts, and STATUS[54]. */
static void check_threshold(struct test_context *t, enum pmu_event event, size_t threshold,
                            bool reached)
{
    struct sampling sampling = sampling_up_to(event, threshold);

    sampling.interrupts_wanted = reached;
    if (!sampling_run(t, &sampling))
        return;
    EXPECT(t, PEBS_INDEX, (sampling.arch_end.write >= threshold) == reached,
           "WR is %zu bytes, and the threshold %zu", sampling.arch_end.write, threshold);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS[54]",
                sampling.status & PERF_GLOBAL_STATUS_ARCH_PEBS,
                reached ? PERF_GLOBAL_STATUS_ARCH_PEBS : 0);
    if (EXPECT_COUNT(t, PMI, "interrupts", sampling.interrupts, reached) && reached)
        EXPECT_EQUAL(t, PMI_CAUSE, "causes that the interrupt found", sampling.events[0].causes,
                     PMI_CAUSE_ARCH_PEBS);
}

/* Where records end, in bytes, in a run that no threshold ends. */
static size_t ends(struct test_context *t, enum pmu_event event, size_t *records)
{
    struct sampling sampling = sample_default(event);

    *records = 0;
    if (!sampling_run(t, &sampling) || !sample_check_all(t, &sampling))
        return 0;
    *records = sampling.index;
    return pebs_arch_end_of(1);
}

/* At the end of each record, one unit before and one after it. */
TEST(arch_pebs, interrupt_comes_at_the_threshold, CLAIMS("APEBS-2"), NEEDS(PEBS_ARCH, PMI))
{
    enum pmu_event event = sample_best_event(t);
    size_t records, size = ends(t, event, &records);

    if (!size)
        return;
    for (size_t count = 1; count <= records && !test_has_failed(t); count++) {
        check_threshold(t, event, count * size - PEBS_ARCH_UNIT, true);
        check_threshold(t, event, count * size, true);
        check_threshold(t, event, count * size + PEBS_ARCH_UNIT, count < records);
        if (test_has_failed(t))
            test_note(t, "the threshold is at the end of record %zu, or a unit from it", count);
    }
}

static void expect_nothing(struct test_context *t, const struct sampling *sampling)
{
    EXPECT_EQUAL(t, PEBS_EXTRA, "WR", sampling->arch_end.write, sampling->arch.first);
    EXPECT_EQUAL(t, PMI_EXTRA, "interrupts", sampling->interrupts, 0);
    sampling_expect_no_stray_write(t, 0);
}

static void check_while_en_is_clear(struct test_context *t, struct counter counter)
{
    static const size_t firsts[] = {0, 0x400};

    for (size_t i = 0; i < COUNT_OF(firsts); i++) {
        struct sampling sampling;

        if (!sample_of_counter(t, counter, &sampling))
            return;
        sampling.arch.disabled = true;
        sampling.arch.first = firsts[i];
        if (!sampling_run(t, &sampling))
            return;
        expect_nothing(t, &sampling);
    }
}

TEST(arch_pebs, nothing_is_stored_while_en_is_clear, CLAIMS("APEBS-2"), NEEDS(PEBS_ARCH, PMI))
{
    sample_each_counter(t, "APEBS-2", "APEBS-2", check_while_en_is_clear);
}

/* Bytes: where there is room for another one FULL is clear in any case. */
#define LONGEST_RECORD 2048u

/* A record for every event, or every other one, as long as they can be without LBRs. */
static struct sampling sampling_of_many(enum pmu_event event, unsigned size_code)
{
    struct sampling sampling = sample_default(event);

    sampling.arch.size_code = size_code;
    sampling.arch_groups |= (PEBS_ARCH_AUX | PEBS_ARCH_XMM) & pebs_arch_config_bits();
    sampling.counters[0].reset = 1;
    return sampling;
}

/* What the last one that does not fit leaves behind is open, but not outside of the buffer; and so
 * is how many bytes of it are left over. */
static void check_full(struct test_context *t, const struct sampling *sampling)
{
    size_t size = (size_t)PAGE_SIZE << sampling->arch.size_code;
    size_t end = sampling->arch_end.write;

    EXPECT(t, STRAY_WRITE, !pebs_arch_find_write_outside(), "written to although out of bounds: %s",
           pebs_arch_find_write_outside());
    EXPECT(t, PEBS_INDEX, end <= size && end > size / 2,
           "WR is %zu bytes in a buffer of %zu, and more records were due", end, size);
    EXPECT(t, PEBS_INDEX, sampling->arch_end.full,
           "IA32_PEBS_INDEX.FULL is clear, after %zu records and %zu bytes", sampling->index, end);
}

/* There is room for all of them, and for all that come. */
static void check_room(struct test_context *t, const struct sampling *sampling)
{
    EXPECT(t, PEBS_INDEX, !sampling->arch_end.full,
           "IA32_PEBS_INDEX.FULL is set, and there was room for all");
    sample_check_all(t, sampling);
    sampling_expect_no_stray_write(t, sampling->index);
}

/* needed: bytes of all records; SIZE_MAX: more than there is room for in any buffer. */
static void check_size(struct test_context *t, enum pmu_event event, unsigned size_code,
                       size_t needed)
{
    struct sampling sampling = sampling_of_many(event, size_code);
    size_t size = (size_t)PAGE_SIZE << size_code;

    if (needed <= size && needed + LONGEST_RECORD > size) {
        test_skip(t, "all %zu bytes of records just fit", needed);
        return;
    }
    if (!sampling_run(t, &sampling))
        return;
    if (needed < size) {
        check_room(t, &sampling);
        return;
    }
    check_full(t, &sampling);
    sampling.records = sampling.index;
    sample_check_all(t, &sampling);
}

/* What the largest one takes, which the others do not. */
static size_t bytes_needed(struct test_context *t, enum pmu_event event)
{
    struct sampling sampling = sampling_of_many(event, PEBS_ARCH_SIZE_CODES - 1);

    if (!sampling_run(t, &sampling) || sampling.arch_end.full)
        return SIZE_MAX;
    return sampling.arch_end.write;
}

TEST(arch_pebs, full_buffer_takes_no_more, CLAIMS("APEBS-2"), NEEDS(PEBS_ARCH, PMI))
{
    enum pmu_event event = sample_branches(t);
    size_t needed = event == PMU_EVENT_COUNT ? 0 : bytes_needed(t, event);

    if (!sample_has_branches(t))
        return;
    TEST_NUMBERS(t, code, 0, PEBS_ARCH_SIZE_CODES, "APEBS-2", "%u_kib", 4u << code)
        check_size(t, event, code, needed);
}

static void check_while_full_is_set(struct test_context *t, struct counter counter)
{
    struct sampling sampling;

    if (!sample_of_counter(t, counter, &sampling))
        return;
    sampling.arch.full = true;
    if (sampling_run(t, &sampling))
        expect_nothing(t, &sampling);
}

TEST(arch_pebs, nothing_is_stored_while_full_is_set, CLAIMS("APEBS-2"), NEEDS(PEBS_ARCH, PMI))
{
    const struct pebs_arch_layout full = {.full = true, .threshold = PEBS_ARCH_NO_THRESHOLD};
    bool sticks = !exception_happened(pebs_arch_write_index(&full)) && pebs_arch_index().full;

    pebs_arch_stop();
    if (sticks)
        sample_each_counter(t, "APEBS-2", "APEBS-2", check_while_full_is_set);
    else
        test_skip(t, "software cannot set IA32_PEBS_INDEX.FULL");
}

/* --- the address --- */

static uint8_t decoy[PAGE_SIZE] __attribute__((section(".ds"), aligned(PAGE_SIZE)));

/* Where linear addresses are the physical ones of the buffer there is something else for a while:
 * NULL, or why not. */
static const char *map_decoy(size_t pages)
{
    uint64_t base = pebs_arch_base();

    __builtin_memset(decoy, DS_POISON, sizeof decoy);
    for (size_t i = 0; i < pages; i++) {
        if (paging_rights((const void *)(base + i * PAGE_SIZE)).present)
            return "the linear addresses of the same numbers are those of something else";
        if (!page_alias_map(base + i * PAGE_SIZE, decoy))
            return "no memory for page tables of a second address";
    }
    return NULL;
}

static void unmap_decoy(size_t pages)
{
    for (size_t i = 0; i < pages; i++)
        page_alias_unmap(pebs_arch_base() + i * PAGE_SIZE);
}

TEST(arch_pebs, base_is_a_physical_address, CLAIMS("APEBS-1"), NEEDS(PEBS_ARCH, PMI))
{
    struct sampling sampling = sample_default(sample_best_event(t));
    size_t pages = (size_t)1 << sampling.arch.size_code;
    const char *why = map_decoy(pages);

    if (why)
        test_fail(t, "%s", why);
    else if (sampling_run(t, &sampling) && sample_check_all(t, &sampling))
        sampling_expect_no_stray_write(t, sampling.index);
    EXPECT(t, STRAY_WRITE, trace_is_poison(decoy, sizeof decoy),
           "a record went to the linear address that is the number in IA32_PEBS_BASE");
    unmap_decoy(pages);
}
