/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runner must know of a suite beyond its name, declared once beside one of its tests:
 *     SUITE(threshold, .order = -2);
 * A suite that declares nothing is like every other.
 */
#ifndef KERNEL_SUITE_H
#define KERNEL_SUITE_H

#include <stdbool.h>

struct suite {
    const char *name;
    int order;          /* below 0: others rest on it, the lowest runs first; above 0: runs last */
    bool asks_for_smis; /* so that one which comes is no disturbance */
};

#define SUITE(name_, ...)                                                                          \
    static const struct suite suite_##name_                                                        \
        __attribute__((used, section(".suites"), aligned(8))) = {.name = #name_, __VA_ARGS__}

#endif
