/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the manual leaves open about PEBS: learnt the first time it shows, printed as "# observed:",
 * and from then on the processor is held to it.
 */
#ifndef TESTS_ORACLE_PEBS_READINGS_H
#define TESTS_ORACLE_PEBS_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/test.h"

/*
 * The event that stores the record finds the counter at 0, and the counter is loaded from its reset
 * slot then (F3.62, F3.63): does that event count in the new period as well? If not, records are
 * period + 1 events apart.
 */
enum pebs_spacing { PEBS_SPACING_UNSEEN, PEBS_SPACING_PERIOD, PEBS_SPACING_PERIOD_PLUS_ONE };
enum pebs_spacing pebs_reading_of_spacing(void);
void pebs_reading_learn_spacing(struct test_context *t, enum pebs_spacing spacing);

/* Two counters that overflow at the same event: one record for both, or one each. */
enum pebs_sharing { PEBS_SHARING_UNSEEN, PEBS_SHARING_ONE_RECORD, PEBS_SHARING_ONE_EACH };
enum pebs_sharing pebs_reading_of_sharing(void);
void pebs_reading_learn_sharing(struct test_context *t, enum pebs_sharing sharing);

/* LBR group of an adaptive record caused by a branch: is that branch its newest entry? */
enum pebs_newest { PEBS_NEWEST_UNSEEN, PEBS_NEWEST_ITSELF, PEBS_NEWEST_ONE_BEFORE };
enum pebs_newest pebs_reading_of_newest(void);
void pebs_reading_learn_newest(struct test_context *t, enum pebs_newest newest);

#endif
