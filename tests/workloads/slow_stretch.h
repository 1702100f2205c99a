/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two branches with more than 65535 core cycles and no other branch between them. */
#ifndef TESTS_WORKLOADS_SLOW_STRETCH_H
#define TESTS_WORKLOADS_SLOW_STRETCH_H

void slow_stretch(void);
extern const char slow_stretch_behind[]; /* the second of the two */

#endif
