/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program is a workload inside the bracket, with the whole truth of one run: the bracket's CALL,
 * every transfer of the workload, the RET to the bracket.
 */
#ifndef TESTS_RUN_PROGRAM_H
#define TESTS_RUN_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

#define PROGRAM_TRANSFERS_MAX (SLED_LENGTH + 8)

struct program {
    const struct workload *workload;
    void (*entry)(void);
    uint64_t argument;
    struct transfer truth[PROGRAM_TRANSFERS_MAX];
    size_t count;
};

/* The transfers that a sled program has besides its jumps. */
#define PROGRAM_SLED_EXTRA      2 /* the bracket's CALL, RET */
#define PROGRAM_SLED_USER_EXTRA 4 /* the bracket's CALL, IRET, SYSCALL, RET */

/* One shared program at a time: large, and tests run one after another. */
const struct program *program_of_workload(const struct workload *workload);

/* Exactly so many transfers in ring 0, from PROGRAM_SLED_EXTRA to SLED_LENGTH + PROGRAM_SLED_EXTRA.
 */
const struct program *program_of_length(size_t transfers);

/* Where a sled runs, and exactly so many transfers there, from program_least() on, with IF as the
 * bracket has it all the way. */
enum sled_place { SLED_RING_0, SLED_RING_3, SLED_COMPAT, SLED_BASED, SLED_PLACES };
const struct program *program_of_sled(enum sled_place place, size_t transfers);
size_t program_least(enum sled_place place);
const char *program_sled_name(enum sled_place place);

/* The last so many transfers of a long loop of so many turns, with the whole loop as the program;
 * the loop must not end up outside of them. */
const struct program *program_of_long_loop(const struct workload *workload, uint64_t turns,
                                           size_t last);

/* Rounds: each calls the sled, which comes back, and all but the last go on by a LOOP. Of the
 * transfers of so many rounds those from a number on, with all of them as the program. */
#define PROGRAM_ROUNDS_TRANSFERS(rounds) ((rounds) * (SLED_LENGTH + 3) + 1)
const struct program *program_of_rounds(size_t rounds, size_t first);

/* So many jumps in ring 3, up to SLED_LENGTH; the CALL, IRET, SYSCALL and RET around them come on
 * top. */
const struct program *program_of_user_jumps(size_t jumps);

#endif
