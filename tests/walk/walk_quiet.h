/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares and judges a step during which nothing is enabled, and reports it to the reference. */
#ifndef TESTS_WALK_WALK_QUIET_H
#define TESTS_WALK_WALK_QUIET_H

#include "tests/walk/walk_check.h"

/* Sets the fields of an area and its buffer as a WALK_LAYOUT says. */
void walk_quiet_lay_out(struct walk_judge *j, const struct walk_step *s);

void walk_quiet_prepare(struct walk_judge *j, const struct walk_step *s);
void walk_quiet_judge(struct walk_judge *j);

#endif
