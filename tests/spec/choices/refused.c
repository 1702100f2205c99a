/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/refused.h"

#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/identity/models.h"
#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
#include "arch/trace/pmu.h"
#include "tests/spec/choices/choices.h"

#define COUNTERS_OF_A_THREAD 4u
#define COUNTERS_OF_A_CORE   8u

void expect_gp(struct test_context *t, struct exception exception, const char *what,
               unsigned number)
{
    EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
           "%s %u: %s with error code %#x, expected #GP with 0", what, number,
           exception_name(exception), exception.error_code);
}

/* Of the core, and not of one of its threads. */
static bool is_upper_counter(unsigned number)
{
    return core_has(SHARES_COUNTERS) && pmu_general_count() == COUNTERS_OF_A_THREAD &&
           number >= COUNTERS_OF_A_THREAD && number < COUNTERS_OF_A_CORE;
}

void expect_no_counter(struct test_context *t, struct exception exception, const char *what,
                       unsigned number)
{
    bool works = !exception_happened(exception);
    bool may_work = is_upper_counter(number) || number < pmu_general_in_doubt();

    if (!works || !may_work)
        expect_gp(t, exception, what, number);
    if (number < pmu_general_in_doubt())
        test_observe(t, "%s %u, which CPUID does not tell of: %s", what, number,
                     works ? "is there" : exception_name(exception));
    if (is_upper_counter(number))
        choice_learn(t, CHOICE_UPPER_COUNTERS, works ? VALUE_WORKS : VALUE_FAULT);
}

static void judge(struct test_context *t, struct exception exception, const char *access,
                  const char *name, unsigned number)
{
    char what[32];

    format_string(what, sizeof what, "%s %s", access, name);
    expect_no_counter(t, exception, what, number);
}

void expect_no_counter_register(struct test_context *t, uint32_t msr, const char *name,
                                unsigned number)
{
    uint64_t value = 0;
    struct exception exception = rdmsr_safe(msr, &value);

    if (!exception_happened(exception) && msr == MSR_UNDOCUMENTED_C7 && core_has(HAS_MSR_C7)) {
        test_observe(t, "MSR %XH is another register in the place of %s%u: reads as %#lx", msr,
                     name, number, value);
        return;
    }
    judge(t, exception, "RDMSR", name, number);
    if (exception_happened(exception))
        judge(t, wrmsr_safe(msr, 0), "WRMSR", name, number);
}
