/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learns the choices that the reference needs, by runs of its own if no test has shown them. */
#ifndef TESTS_WALK_REFERENCE_LEARN_H
#define TESTS_WALK_REFERENCE_LEARN_H

#include "kernel/report/test.h"

/* Needs BTS and a local APIC. Everything is off before and after. */
void reference_learn(struct test_context *t);

#endif
