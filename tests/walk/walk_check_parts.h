/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files that implement walk_check.h. */
#ifndef TESTS_WALK_WALK_CHECK_PARTS_H
#define TESTS_WALK_WALK_CHECK_PARTS_H

#include "tests/walk/walk_check.h"

/* Names the claim as broken, unless the check held. */
void walk_breaks_unless(struct walk_judge *j, bool held, const char *claim);

/* The claim about how this processor freezes the LBR stack (if `lbr`) or the counters. */
const char *walk_freeze_claim(const struct reference *r, bool lbr);

void walk_check_lbr(struct walk_judge *j);

/* Checks the branch trace store. Then the reference takes over the observed memory and index, from
 * which the next step starts. */
void walk_check_store(struct walk_judge *j);

#endif
