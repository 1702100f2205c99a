/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/program.h"

static struct program program;

static void append(const struct transfer *rows, size_t count)
{
    for (size_t i = 0; i < count && program.count < PROGRAM_TRANSFERS_MAX; i++)
        program.truth[program.count++] = rows[i];
}

static void append_workload(const struct workload *workload)
{
    append(workload->truth, (size_t)(workload->truth_end - workload->truth));
}

static void begin(const struct workload *workload, void (*entry)(void), uint64_t argument)
{
    const struct transfer call = {
        .from = (uint64_t)bracket_call, .to = (uint64_t)entry, .kind = TRANSFER_CALL_INDIRECT};

    program.workload = workload;
    program.entry = entry;
    program.argument = argument;
    program.count = 0;
    append(&call, 1);
}

const struct program *program_of_workload(const struct workload *workload)
{
    begin(workload, workload->entry, 0);
    append_workload(workload);
    return &program;
}

const struct program *program_of_length(size_t transfers)
{
    size_t jumps = transfers - PROGRAM_SLED_EXTRA;
    const struct transfer *first = sled_truth + SLED_LENGTH - jumps;

    /* Without a jump the entry is what the last jump leads to: the RET. */
    begin(&workload_sled, (void (*)(void))(jumps ? first->from : first[-1].to), 0);
    append(first, jumps);
    append_workload(&workload_sled);
    return &program;
}

const struct program *program_of_user_jumps(size_t jumps)
{
    const struct transfer *first = sled_user_truth + SLED_LENGTH - jumps;
    uint64_t start = jumps ? first->from : first[-1].to;
    struct transfer out = *workload_sled_user.truth;

    out.to = start;
    begin(&workload_sled_user, workload_sled_user.entry, start);
    append(&out, 1);
    append(first, jumps);
    append(workload_sled_user.truth + 1,
           (size_t)(workload_sled_user.truth_end - workload_sled_user.truth) - 1);
    return &program;
}
