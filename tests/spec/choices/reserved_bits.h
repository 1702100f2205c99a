/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reserved bits of a register. The processor decides which of them fault and which are dropped
 * (F6.10, F2.3). It never keeps one, and a bit does the same every time.
 */
#ifndef TESTS_SPEC_CHOICES_RESERVED_BITS_H
#define TESTS_SPEC_CHOICES_RESERVED_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/percpu.h"
#include "kernel/report/test.h"

/* What each reserved bit of one register did, per processor; a bit in neither was not tried yet.
 * Kept across repetitions. */
struct reserved_bits {
    uint64_t faulted[PROCESSORS_MAX], dropped[PROCESSORS_MAX];
};

struct reserved_register {
    const char *name;
    uint32_t number; /* of the MSR */
    uint64_t reserved;
    uint64_t legal; /* bits that a write can certainly change */
};

/* Writes each reserved bit into what the register holds, alone and with the legal bits changed;
 * then again into a register that holds the legal bits the other way round. */
void reserved_bits_check(struct test_context *t, struct reserved_bits *seen,
                         const struct reserved_register *in);

/* For registers that cannot be read back: checks that the bit faulted if it did so before, and only
 * then. */
void reserved_bits_hold(struct test_context *t, struct reserved_bits *seen, const char *name,
                        unsigned bit, bool faulted);

/* Writes an observation to the log: which bits did what. */
void reserved_bits_observe(struct test_context *t, const struct reserved_bits *seen,
                           const char *name);

/* Skips the test if a hypervisor enumerates the feature without providing it. Returns whether the
 * test was skipped. */
bool skipped_as_not_lent(struct test_context *t, enum feature feature);

/* IA32_DEBUGCTL must not keep this bit, whichever of LBR, BTF and TR are set with it. */
void expect_absent_from_debugctl(struct test_context *t, uint64_t bit);

#endif
