/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A local APIC that is off for a moment, on a board whose firmware may need it then. */
#ifndef TESTS_RUN_APIC_OFF_RISK_H
#define TESTS_RUN_APIC_OFF_RISK_H

#include "kernel/report/test.h"

/*
 * NULL, or why none is switched off here: an SMI that comes meanwhile leads to firmware that may
 * wait for its local APIC for ever. Under a hypervisor, and with smi=allow, there is no risk that
 * nobody has taken. Looks for some milliseconds, where SMIs are not counted a second once.
 */
const char *apic_off_risk(void);

/* The same as a skip: true where the test is to go on. */
bool apic_may_go_off(struct test_context *t);

#endif
