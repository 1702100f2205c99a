/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of walk_check.h share. */
#ifndef TESTS_RANDOM_WALK_CHECK_PARTS_H
#define TESTS_RANDOM_WALK_CHECK_PARTS_H

#include "tests/random/walk_check.h"

/* Names the claim that is broken where a check has not held. */
void walk_breaks_unless(struct walk_judge *j, bool held, const char *claim);

/* The claim about this processor's way to freeze: of the stack (lbr), or of the counters. */
const char *walk_freeze_claim(const struct reference *r, bool lbr);

void walk_check_lbr(struct walk_judge *j);

/* Takes over what memory holds, and the index, for the next step. */
void walk_check_store(struct walk_judge *j);

#endif
