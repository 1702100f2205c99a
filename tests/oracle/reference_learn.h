/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reference must know of the choices, by runs of its own where no test has shown it. */
#ifndef TESTS_ORACLE_REFERENCE_LEARN_H
#define TESTS_ORACLE_REFERENCE_LEARN_H

#include "kernel/report/test.h"

/* Needs BTS, and a local APIC; everything is off, before and after. */
void reference_learn(struct test_context *t);

#endif
