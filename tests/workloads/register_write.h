/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One WRMSR between two jumps. */
#ifndef TESTS_WORKLOADS_REGISTER_WRITE_H
#define TESTS_WORKLOADS_REGISTER_WRITE_H

/* Offsets of struct register_write. */
#define REGISTER_WRITE_NUMBER 0
#define REGISTER_WRITE_VALUE  8

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

struct register_write {
    uint64_t number, value;
};

_Static_assert(offsetof(struct register_write, value) == REGISTER_WRITE_VALUE, "register_write.S");

/* Argument: the address of a struct register_write. */
extern const struct workload workload_register_write;

#endif
#endif
