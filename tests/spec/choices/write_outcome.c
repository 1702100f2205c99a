/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/write_outcome.h"

#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pmu.h"

const char *write_outcome_text(enum write_outcome outcome)
{
    static const char *const texts[WRITE_OUTCOMES] = {
        [WRITE_STUCK] = "it holds what was written",
        [WRITE_DROPPED] = "dropped",
        [WRITE_FAULTED] = "#GP",
    };

    return texts[outcome];
}

enum choice_value write_outcome_value(enum write_outcome outcome)
{
    static const enum choice_value values[WRITE_OUTCOMES] = {
        [WRITE_STUCK] = VALUE_STICKS,
        [WRITE_DROPPED] = VALUE_IGNORED,
        [WRITE_FAULTED] = VALUE_FAULT,
    };

    return values[outcome];
}

uint64_t read_ours(uint32_t number)
{
    uint64_t value = 0;

    rdmsr_safe(number, &value);
    if (number == IA32_FIXED_CTR_CTRL)
        return pmu_ours_fixed(value);
    return number == IA32_PERF_GLOBAL_CTRL ? pmu_ours(value) : value;
}

static uint64_t beside_others(uint32_t number, uint64_t value)
{
    return number == IA32_FIXED_CTR_CTRL ? pmu_fixed_control_with(value) : value;
}

enum write_outcome write_and_look(struct test_context *t, const char *name, uint32_t number,
                                  uint64_t value)
{
    uint64_t before = 0, after;
    struct exception exception;

    EXPECT(t, MSR_REFUSES, !exception_happened(rdmsr_safe(number, &before)), "reading %s faults",
           name);
    before = read_ours(number);
    exception = wrmsr_safe(number, beside_others(number, value));
    after = read_ours(number);
    if (!exception_happened(exception))
        return after == value ? WRITE_STUCK : WRITE_DROPPED;
    EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
           "writing %#lx to %s: %s with error code %#x, expected #GP with 0", value, name,
           exception_name(exception), exception.error_code);
    EXPECT(t, MSR_VALUE, after == before, "%s changed from %#lx to %#lx by a write that faulted",
           name, before, after);
    return WRITE_FAULTED;
}
