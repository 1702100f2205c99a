/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests of this kernel, those chosen of them, and who runs which (kernel/run/crew.h). */
#ifndef KERNEL_RUN_PLAN_H
#define KERNEL_RUN_PLAN_H

#include <stdbool.h>

#include "kernel/settings.h"
#include "kernel/report/selection.h"

/* others: processors besides this one on which tests run. false, and a sentence in error
 * (SELECTION_ERROR_SIZE bytes): there is nothing to go by. */
bool plan_make(const struct options *options, unsigned others, char *error);

const struct selection *plan_all(void);
const struct selection *plan_chosen(void);

/*
 * What the processor that booted runs, of those chosen: all; in two parts, the tests for it alone
 * and, while the others run theirs, those for every processor (cpu=all, cpu=pair); or none
 * (cpu=LIST).
 */
const struct selection *plan_first(void);
const struct selection *plan_together(void);
bool plan_is_at_once(void);

/* What this processor draws from in a soak, beside the others or alone; how many processors have
 * one. */
const struct selection *plan_soaked(void);
unsigned plan_soaks(const struct options *options);

/* Suites that compare_places, once all others are done: they run whatever was chosen. Otherwise
 * they are among the other tests, and skip. */
const struct selection *plan_last(void);

/* What any other one runs, in its order. It stays until the next call. */
const struct selection *plan_of_member(unsigned number);

/* All that the running processor could run, for what it has not chosen. */
const struct selection *plan_all_here(void);

/* Everybody's: tests of the others, too, and what each soak counts as. */
unsigned plan_count(const struct options *options);

#endif
