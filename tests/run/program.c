/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/program.h"

#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/descriptors.h"
#include "arch/trace/debugctl.h"

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
    program.ahead = 0;
    program.count = 0;
    append(&call, 1);
}

void program_restore(const struct program *copy)
{
    program = *copy;
}

/* The bracket's CALL comes first. */
#define REGISTER_WRITE_BEFORE 2

struct program_write program_write(const struct program *program)
{
    struct program_write write = {.before = SIZE_MAX};

    if (program->workload == &workload_switched) {
        write.before = 1 + (size_t)(switched_truth - workload_switched.truth);
        write.what = (struct register_write){IA32_DEBUGCTL, debugctl_itself(program->argument)};
    } else if (program->workload == &workload_register_write) {
        write.before = REGISTER_WRITE_BEFORE;
        write.what = program->argument ? *(const struct register_write *)program->argument
                                       : (struct register_write){IA32_DEBUGCTL, 0};
    }
    return write;
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

/* The last so many jumps of a sled whose truth ends here, by a workload that leads out to them and
 * back; its addresses count from the base. */
static const struct program *program_out_and_back(const struct workload *workload,
                                                  const struct transfer *end, size_t jumps,
                                                  uint64_t base)
{
    const struct transfer *first = end - jumps;
    uint64_t start = jumps ? first->from : first[-1].to;
    struct transfer out = *workload->truth;

    out.to = start;
    begin(workload, workload->entry, start - base);
    append(&out, 1);
    append(first, jumps);
    append(workload->truth + 1, (size_t)(workload->truth_end - workload->truth) - 1);
    return &program;
}

const struct program *program_of_user_jumps(size_t jumps)
{
    return program_out_and_back(&workload_sled_user, sled_user_truth + SLED_LENGTH, jumps, 0);
}

const struct program *program_of_long_loop(const struct workload *workload, uint64_t turns,
                                           size_t last)
{
    const struct transfer *loop = workload->truth;
    size_t behind;

    begin(workload, workload->entry, turns);
    while (loop->kind != TRANSFER_LOOP)
        loop++;
    behind = (size_t)(workload->truth_end - loop) - 1;
    program.count = 0;
    while (program.count + behind < last)
        append(loop, 1);
    append(loop + 1, behind);
    program.ahead = turns + (size_t)(loop - workload->truth) + behind - program.count;
    return &program;
}

/* A round: the LOOP, before the first one the bracket's CALL in its place, then the workload's
 * CALL, the jumps, their RET. */
static struct transfer transfer_of_round(size_t number, size_t rounds)
{
    const struct transfer *call = workload_sled_rounds.truth, *loop = call + 1;
    size_t length = SLED_LENGTH + 3, position = number % length;
    struct transfer back = *workload_sled.truth;

    if (position == 0)
        return number == rounds * length ? loop[1] : *loop;
    if (position == 1)
        return *call;
    back.to = loop->from; /* the sled's RET, to what follows the CALL */
    return position < length - 1 ? sled_truth[position - 2] : back;
}

const struct program *program_of_rounds(size_t rounds, size_t first)
{
    size_t end = PROGRAM_ROUNDS_TRANSFERS(rounds);

    begin(&workload_sled_rounds, workload_sled_rounds.entry, rounds);
    program.ahead = first;
    if (first > 0)
        program.count = 0;
    for (size_t number = first + program.count;
         number < end && program.count < PROGRAM_TRANSFERS_MAX; number++) {
        struct transfer transfer = transfer_of_round(number, rounds);

        append(&transfer, 1);
    }
    return &program;
}

const char *const program_sled_names[SLED_PLACES] = {
    [SLED_RING_0] = "ring_0",
    [SLED_RING_3] = "ring_3",
    [SLED_COMPAT] = "compatibility_mode",
    [SLED_BASED] = "segment_with_a_base",
};

size_t program_least(enum sled_place place)
{
    return place == SLED_RING_0 ? PROGRAM_SLED_EXTRA : PROGRAM_SLED_USER_EXTRA;
}

const struct program *program_of_sled(enum sled_place place, size_t transfers)
{
    const struct transfer *end = sled_compat_truth + SLED_COMPAT_LENGTH;
    size_t jumps = transfers - program_least(place);

    switch (place) {
    case SLED_RING_0:
        return program_of_length(transfers);
    case SLED_RING_3:
        return program_out_and_back(&workload_sled_held_off, sled_user_truth + SLED_LENGTH, jumps,
                                    0);
    case SLED_COMPAT:
        return program_out_and_back(&workload_sled_compat, end, jumps, 0);
    default:
        return program_out_and_back(&workload_sled_based, end, jumps, USER_CODE32_BASE);
    }
}
