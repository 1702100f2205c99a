/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/smi_watch.h"

#include "arch/cpu/apic/smi.h"
#include "arch/lib/printf.h"
#include "kernel/machine/time.h"
#include "tests/run/counting.h"
#include "tests/run/run.h"
#include "tests/workloads/kinds/smi.h"

#define WAIT_MICROSECONDS 1000 /* an SMI may come late (AAT87) */
#define REASON_SIZE       200

enum witness { WITNESS_UNTRIED, WITNESS_NONE, WITNESS_COUNT, WITNESS_INSTRUCTIONS };

static enum witness witness;
static char obstacle[REASON_SIZE];
static uint32_t out_raises; /* what smi_out is where an SMI is to come */
static uint32_t count_before;

static uint32_t count_now(void)
{
    uint32_t count = 0;

    smi_count(&count);
    return count;
}

static bool count_moves(void)
{
    struct wait wait = time_wait(WAIT_MICROSECONDS);

    while (count_now() == count_before && wait_goes_on(&wait))
        ;
    return count_now() != count_before;
}

void smi_begin(void)
{
    count_before = count_now();
    smi_out = out_raises;
}

bool smi_end(struct test_context *t)
{
    smi_out = SMI_HARMLESS_PORT;
    pmu_set_global_control(0); /* RSM may have set every enable (D 14) */
    if (witness != WITNESS_COUNT || count_moves())
        return true;
    test_skip(t, "the SMI did not come this time: MSR_SMI_COUNT stays %u", count_before);
    return false;
}

static bool is_counted_right(const struct counting *counting, uint64_t counted, uint64_t more)
{
    uint64_t truth = counting_truth(counting, PMU_INSTRUCTIONS, COUNTER_OS);

    return counted + COUNT_SLACK >= truth && counted <= truth + COUNT_SLACK + more;
}

/* The same without an SMI must be what it should be: only then does it mean anything. */
static bool more_is_executed(void)
{
    struct counting counting = {.workload = &workload_counted_smi, .iterations = SMI_ROUNDS};
    struct counter counters[PMU_COUNTERS_MAX];
    uint64_t counted;

    if (!counting_counters_of(PMU_INSTRUCTIONS, counters))
        return false;
    counting_add(&counting, counters[0], PMU_INSTRUCTIONS);
    counted = counting_measure(NULL, &counting);
    if (!is_counted_right(&counting, counted, 0))
        return false;
    smi_out = out_raises;
    counted = counting_measure(NULL, &counting);
    smi_out = SMI_HARMLESS_PORT;
    counting_end();
    return !is_counted_right(&counting, counted, SMI_ROUNDS * SMI_COUNT_SLACK);
}

bool smi_count_tells(void)
{
    const struct run run = {.entry = workload_kernel_smi.entry, .hold_off_interrupts = true};
    struct observation ignored;
    uint32_t count;

    if (!smi_count(&count))
        return false;
    smi_begin();
    run_quietly(NULL, &run, &ignored);
    smi_out = SMI_HARMLESS_PORT;
    return count_moves();
}

bool smi_is_forbidden(char *why, size_t size)
{
    struct smi_command command;
    const char *reason = smi_find_command(&command);

    if (reason)
        format_string(why, size, "%s", reason);
    return reason;
}

static enum witness find_witness(void)
{
    struct smi_command command;

    if (smi_is_forbidden(obstacle, sizeof obstacle))
        return WITNESS_NONE;
    smi_find_command(&command);
    out_raises = (uint32_t)command.value << 16 | command.port;
    if (smi_count_tells())
        return WITNESS_COUNT;
    if (more_is_executed())
        return WITNESS_INSTRUCTIONS;
    format_string(
        obstacle, sizeof obstacle,
        "no SMI comes by OUT of %02XH to port %02XH, the FADT's SMI_CMD: the firmware has "
        "not enabled it, or neither MSR_SMI_COUNT nor a counter shows it",
        command.value, command.port);
    return WITNESS_NONE;
}

bool smi_is_possible(struct test_context *t)
{
    if (witness == WITNESS_UNTRIED)
        witness = find_witness();
    if (witness == WITNESS_NONE)
        test_skip(t, "%s", obstacle);
    if (witness == WITNESS_INSTRUCTIONS)
        test_observe(t, "MSR_SMI_COUNT does not tell of an SMI, the instructions retired do");
    return witness != WITNESS_NONE;
}
