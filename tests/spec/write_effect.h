/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a WRMSR does to the registers of the facilities under test. */
#ifndef TESTS_SPEC_WRITE_EFFECT_H
#define TESTS_SPEC_WRITE_EFFECT_H

#include "tests/run/facility.h"
#include "tests/workloads/register_write.h"

/* Changes `facility` as the write does, if the processor takes the value. A register that
 * `facility` does not have changes nothing. */
void write_effect(struct facility *facility, const struct register_write *write);

#endif
