/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a register past the counters judged by what reading it does, and one that reads not written?
 */
#include "tests/spec/choices/refused.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pmu.h"
#include "check.h"
#include "tests/spec/choices/choices.h"

#define REGISTERS 0x800

static bool readable[REGISTERS], written[REGISTERS];
static unsigned found, observed;
static bool is_upper; /* a counter of the core's other thread, by the choice that was learnt */

static const struct exception none = {.vector = EXCEPTION_NO_VECTOR}, gp = {.vector = VECTOR_GP};

const char *exception_name(struct exception exception)
{
    (void)exception;
    return "";
}

struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    *value = 1;
    return readable[number] ? none : gp;
}

struct exception wrmsr_safe(uint32_t number, uint64_t value)
{
    (void)value;
    written[number] = true;
    return readable[number] ? none : gp;
}

unsigned pmu_general_count(void)
{
    return 4;
}

unsigned pmu_fixed_count(void)
{
    return 3;
}

static unsigned in_doubt;

unsigned pmu_general_in_doubt(void)
{
    return in_doubt;
}

bool choice_learn_at(struct test_context *t, enum choice choice, uint64_t value,
                     struct choice_point point)
{
    (void)t, (void)value, (void)point;
    CHECK(choice == CHOICE_UPPER_COUNTERS, "another choice");
    is_upper = true;
    return true;
}

bool test_expect(struct test_context *t, enum finding_kind kind, bool condition, const char *file,
                 unsigned line, const char *condition_text, const char *format, ...)
{
    (void)t, (void)kind, (void)file, (void)line, (void)condition_text, (void)format;
    found += !condition;
    return condition;
}

void test_observe(struct test_context *t, const char *format, ...)
{
    (void)t, (void)format;
    observed++;
}

/* The findings that a readable, or an absent, register past the counters is on this model. */
static unsigned findings_of(uint8_t model, uint32_t number, bool reads)
{
    memset(readable, 0, sizeof readable);
    memset(written, 0, sizeof written);
    cpu_features()->identity =
        (struct cpu_identity){.vendor = "GenuineIntel", .family = 6, .model = model};
    readable[number] = reads;
    found = observed = 0;
    is_upper = false;
    expect_no_counter_register(NULL, number, "IA32_PMC", number - IA32_PMC0);
    CHECK(written[number] == !reads, "model %#x, register %#x", model, number);
    CHECK(observed == (reads && !found && !is_upper), "model %#x, register %#x", model, number);
    return found;
}

int main(void)
{
    static const uint8_t with_other[] = {0x0f, 0x16, 0x17, 0x1d, 0x1c, 0x26, 0x27, 0x35, 0x36};

    for (size_t i = 0; i < sizeof with_other; i++) {
        CHECK(findings_of(with_other[i], 0xc7, true) == 0, "somebody's");
        CHECK(findings_of(with_other[i], 0xc7, false) == 0, "absent");
        CHECK(findings_of(with_other[i], 0xc3, true) == 1, "a counter more");
    }
    CHECK(findings_of(0x1a, 0xc7, true) == 1, "Nehalem has none");
    CHECK(findings_of(0x5e, 0xc5, true) == 0, "of the other thread");
    CHECK(findings_of(0x6a, 0xc5, true) == 1, "a counter more");
    in_doubt = 10;
    expect_no_counter(NULL, none, "WRMSR IA32_PMC", 9);
    expect_no_counter(NULL, gp, "WRMSR IA32_PMC", 9);
    CHECK(found == 1, "a hybrid's may be there or not");
    expect_no_counter(NULL, none, "WRMSR IA32_PMC", 10);
    CHECK(found == 2, "but no more than are known");
    return check_result();
}
