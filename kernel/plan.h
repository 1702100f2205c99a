/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests of this kernel, those chosen of them, and those of these for the present place. */
#ifndef KERNEL_PLAN_H
#define KERNEL_PLAN_H

#include "kernel/options.h"
#include "kernel/selection.h"

/* false, and a sentence in error (SELECTION_ERROR_SIZE bytes): there is nothing to go by. */
bool plan_make(const struct options *options, char *error);

const struct selection *plan_all(void);
const struct selection *plan_chosen(void);

/* Of all, and of the chosen ones: those that are executed where kernel/place.h says. */
const struct selection *plan_all_here(void);
const struct selection *plan_here(void);

/* Tests in all places. */
unsigned plan_count(void);

#endif
