/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program is a workload inside the bracket, with the whole truth of one run: the bracket's CALL,
 * every transfer of the workload, the RET to the bracket.
 */
#ifndef TESTS_RUN_PROGRAM_H
#define TESTS_RUN_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/register_write.h"
#include "tests/workloads/workload.h"

#define PROGRAM_TRANSFERS_MAX (SLED_LENGTH + 8)

struct program {
    const struct workload *workload;
    void (*entry)(void);
    uint64_t argument;
    uint64_t ahead; /* transfers before those of the truth, which has the last ones */
    struct transfer truth[PROGRAM_TRANSFERS_MAX];
    size_t count;
};

/* A WRMSR of the program, and how many transfers of its truth come before it; SIZE_MAX: none. */
struct program_write {
    struct register_write what;
    size_t before;
};

struct program_write program_write(const struct program *program);

/* Transfers of a sled program besides its jumps. */
#define PROGRAM_SLED_EXTRA      2 /* the bracket's CALL, RET */
#define PROGRAM_SLED_USER_EXTRA 4 /* the bracket's CALL, IRET, SYSCALL, RET */

/* Programs are large and tests run one after another, so all share one: a program is valid until
 * the next call. program_restore() makes it valid again, from a copy. */
void program_restore(const struct program *copy);
const struct program *program_of_workload(const struct workload *workload);

/* A program of exactly `transfers` transfers in ring 0: PROGRAM_SLED_EXTRA to SLED_LENGTH +
 * PROGRAM_SLED_EXTRA. */
const struct program *program_of_length(size_t transfers);

/* Where a sled runs. A program of exactly `transfers` transfers there, at least program_least(). IF
 * stays as the bracket has it. */
enum sled_place { SLED_RING_0, SLED_RING_3, SLED_COMPAT, SLED_BASED, SLED_PLACES };
const struct program *program_of_sled(enum sled_place place, size_t transfers);
size_t program_least(enum sled_place place);
extern const char *const program_sled_names[SLED_PLACES];

/* The program is a whole loop of `turns` turns; its truth has the last `last` transfers, which must
 * reach back into the loop. */
const struct program *program_of_long_loop(const struct workload *workload, uint64_t turns,
                                           size_t last);

/* Each round calls the sled, which returns; a LOOP leads to the next round. The program has all
 * rounds; its truth has transfer number `first` and as many after it as fit. */
#define PROGRAM_ROUNDS_TRANSFERS(rounds) ((rounds) * (SLED_LENGTH + 3) + 1)
const struct program *program_of_rounds(size_t rounds, size_t first);

/* A program of `jumps` jumps in ring 3, at most SLED_LENGTH, with the CALL, IRET, SYSCALL and RET
 * around them. */
const struct program *program_of_user_jumps(size_t jumps);

#endif
