/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds of every run of sampling counters in the DS area, whatever it is about: a record names
 * counters that sample, and the interrupt and its bit of IA32_PERF_GLOBAL_STATUS come with the
 * threshold and not without.
 */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_WHOLE_H
#define TESTS_SPEC_SAMPLES_SAMPLE_WHOLE_H

#include "kernel/report/test.h"
#include "tests/spec/samples/sampling.h"

void sample_check_whole(struct test_context *t, const struct sampling *sampling);

#endif
