/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runner must know of a suite beyond its name, declared once beside one of its tests:
 *     SUITE(threshold, .order = -2);
 * A suite that declares nothing is like every other.
 */
#ifndef KERNEL_REPORT_SUITE_H
#define KERNEL_REPORT_SUITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Tests whose subtests the screen shows one by one, in a grid of 4 rows by 8: the digits 0 and 1 in
 * the name of a subtest, first to last, are the number of its cell in binary.
 */
struct suite_grid {
    const char *tests; /* a glob of their names; NULL: there is no grid */
    const char *title;
    const char *rows, *columns; /* what the two digits of a row stand for, and the three others */
};

struct suite {
    const char *name;
    int order;          /* below 0: others rest on it, the lowest runs first; above 0: runs last */
    bool asks_for_smis; /* so that one which comes is no disturbance */
    bool boot_only;     /* it is about the processor that booted, or its event meets every one */
    bool fills_a_soak;  /* three quarters of the time of a soak (kernel/run/soak.h) go to them */
    bool compares_places; /* what tests have shown elsewhere: it runs behind all the others */
    bool (*unless)(char *why,
                   size_t size); /* as that of a test (kernel/report/test.h), for all of them */
    struct suite_grid grid;
};

#define SUITE(name_, ...)                                                                          \
    static const struct suite suite_##name_                                                        \
        __attribute__((used, section(".suites"), aligned(8))) = {.name = #name_, __VA_ARGS__}

#endif
