/* SPDX-License-Identifier: GPL-2.0-or-later */
/* May a test switch a local APIC off for a moment? Firmware may need it in an SMI. */
#ifndef TESTS_RUN_APIC_OFF_RISK_H
#define TESTS_RUN_APIC_OFF_RISK_H

#include "kernel/report/test.h"

/*
 * Returns why no local APIC of this machine may be switched off, or NULL. An SMI that comes while
 * an APIC is off enters firmware, which may wait for the APIC for ever. There is no such risk under
 * a hypervisor, and with smi=allow the user has taken it. The check takes some milliseconds; where
 * SMIs are not counted, it takes a second once.
 */
const char *apic_off_risk(void);

/* Skips the test and returns false where apic_off_risk() has a reason. */
bool apic_may_go_off(struct test_context *t);

#endif
