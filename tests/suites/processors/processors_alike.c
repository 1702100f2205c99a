/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the processors of one kind decide alike what the manual leaves open (MP-1)? What each has
 * shown until now is compared; a few short tests see to it that there is something to compare.
 */
#include "arch/cpu/smp/processors.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/report/test.h"
#include "tests/run/other_processor.h"
#include "tests/spec/choices/choices.h"

#define WHY_SIZE 160

static const char *const sample[] = {
    "probe.reserved_bits_of_debugctl",
    "circular.laps",
    "threshold.full_buffer_keeps_the_ds_area",
    "pebs.next_event_stores_the_record",
};

/* On a processor that is started, or on this one. */
static void run_sample(struct test_context *t, unsigned index)
{
    for (size_t i = 0; i < COUNT_OF(sample); i++) {
        const struct test *test = test_named(sample[i]);
        char why[WHY_SIZE];

        if (!EXPECT(t, SETUP, test, "there is no test %s", sample[i]))
            return;
        if (!other_lacks(index, test, why, sizeof why) && (!index || processor_is_started(index)))
            other_run_test(t, index, test);
    }
}

static void check_processor(struct test_context *t, unsigned index)
{
    unsigned first = cpu_first_of_kind(index), compared;
    char label[CPU_LABEL_SIZE];

    run_sample(t, index);
    if (first == index) {
        test_skip(t, "%s is the first of its kind",
                  cpu_label_of(index, features_identity(index), label));
        return;
    }
    compared = choices_compare(t, first, index);
    if (!compared)
        test_skip(t, "nothing that processor %u decides was seen of processor %u, too", index,
                  first);
    test_compared(t, compared);
}

TEST(processors, decide_alike, CLAIMS("MP-1"), NEEDS(SECOND_PROCESSOR))
{
    TEST_NUMBERS(t, index, 0, processor_count(), "MP-1", "processor_%u", index) {
        if (index == 0) {
            run_sample(t, 0);
        } else if (other_start(t, index)) {
            check_processor(t, index);
            other_stop(t, index);
        }
    }
}
