/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System management interrupts that nobody here asked for: firmware has its own reasons for them,
 * and counters go on in SMM (F10.3). What was counted across one is to be counted again.
 */
#ifndef TESTS_EXPECT_SMI_GUARD_H
#define TESTS_EXPECT_SMI_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#define SMI_GUARD_TRIES 8

struct smi_mark {
    bool known;
    uint32_t count;
};

struct smi_mark smi_mark(void);

/* False as well where no MSR_SMI_COUNT tells (F10.7). */
bool smi_came_since(const struct smi_mark *mark);

#endif
