/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Axes of choices. A processor may decide a choice differently for each kind of transfer, register
 * bit, counter or event. An axis is such a dimension, and each of its cases is a point. */
#ifndef TESTS_SPEC_CHOICES_CHOICE_AXES_H
#define TESTS_SPEC_CHOICES_CHOICE_AXES_H

#include <stddef.h>
#include "arch/trace/pmu.h"
#include "tests/workloads/workload.h"

/* AXIS(ID, points) */
#define CHOICE_AXES(AXIS)                                                                          \
    AXIS(ONE, 1)                                                                                   \
    AXIS(KIND, TRANSFER_KINDS)                                                                     \
    AXIS(OFF_BIT, 3)       /* CHOICE_OFF_… */                                                    \
    AXIS(SELECT_BIT, 9)    /* of MSR_LBR_SELECT, by its number */                                  \
    AXIS(DEBUGCTL_BIT, 16) /* by its number */                                                     \
    AXIS(STORING, 2)       /* with TR: BTS clear, BTS set */                                       \
    AXIS(FREEZE, 2)        /* the LBR stack, the counters */                                       \
    AXIS(FIXED, 2)         /* a general-purpose counter, a fixed one */                            \
    AXIS(GENERAL, 16)      /* PMC0 to PMC15 */                                                     \
    AXIS(COUNTER, 24)      /* PMC0 to PMC15, then fixed counters 0 to 7 */                         \
    AXIS(PERIODS, 4)       /* CHOICE_FIRST_LONG | CHOICE_LATER_LONG */                             \
    AXIS(RING, 4)                                                                                  \
    AXIS(EVENT, PMU_EVENT_COUNT)

enum choice_axis {
#define AXIS(id, points) AXIS_##id,
    CHOICE_AXES(AXIS)
#undef AXIS
        CHOICE_AXIS_COUNT,
};

enum choice_points {
#define AXIS(id, points) AXIS_##id##_POINTS = (points),
    CHOICE_AXES(AXIS)
#undef AXIS
};

/* The axis OFF_BIT: which of BTS_OFF_OS and BTS_OFF_USR is set. */
enum choice_off_bit { CHOICE_OFF_NEITHER, CHOICE_OFF_OS, CHOICE_OFF_USR };

/*
 * On the axis COUNTER: the point of fixed counter 0, and how many fixed counters follow from there.
 */
enum { CHOICE_FIXED_0 = AXIS_GENERAL_POINTS, CHOICE_FIXED_COUNTERS = 8 };

/* The axis PERIODS has two bits. The first says that the period up to the first overflow is long,
 * the second that the later periods are, which begin at the reset value. */
enum choice_periods { CHOICE_FIRST_LONG = 1, CHOICE_LATER_LONG = 2 };

unsigned choice_axis_points(enum choice_axis axis);

/* Writes a point's name, such as "far-ret", in lower case without blanks; "" for ONE. Returns
 * text. */
char *choice_axis_name(enum choice_axis axis, unsigned point, char *text, size_t size);

#endif
