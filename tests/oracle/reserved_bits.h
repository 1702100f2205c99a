/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reserved bits of a register. Which of them fault and which are dropped is the processor's own
 * affair (F6.10, F2.3); none is ever kept, and a bit does the same every time.
 */
#ifndef TESTS_ORACLE_RESERVED_BITS_H
#define TESTS_ORACLE_RESERVED_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/percpu.h"
#include "kernel/report/test.h"

/* What became of each reserved bit of one register, on each processor; no bit where it was not seen
 * yet. Kept across repetitions. */
struct reserved_bits {
    uint64_t faulted[PROCESSORS_MAX], dropped[PROCESSORS_MAX];
};

/* Each of the bits by itself, twice, added to what the register holds. */
void reserved_bits_check(struct test_context *t, struct reserved_bits *seen, const char *name,
                         uint32_t number, uint64_t reserved);

/* For registers that cannot be read back: this bit did that, as before? */
void reserved_bits_hold(struct test_context *t, struct reserved_bits *seen, const char *name,
                        unsigned bit, bool faulted);

/* Says in the log which of them did what. */
void reserved_bits_observe(struct test_context *t, const struct reserved_bits *seen,
                           const char *name);

/* Skips where a hypervisor keeps a facility that is enumerated: it is neither there nor missing. */
bool skipped_as_not_lent(struct test_context *t, enum feature feature);

/* IA32_DEBUGCTL does not keep this bit, whichever of LBR, BTF and TR are set with it. */
void expect_absent_from_debugctl(struct test_context *t, uint64_t bit);

#endif
