/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are counters that others set up again found, distinguished from those that cannot be cleared, and
 * named? */
#include "arch/trace/foreign_counters.h"

#include "arch/cpu/smp/hold.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pmu.h"
#include "check.h"

#define GENERAL 4u
#define EVERY   500u /* reads from one system management interrupt to the next */

static uint64_t selects[GENERAL], fixed_control;
static uint64_t handler_select, handler_field; /* what the handler sets up: PMC2, a fixed one */
static uint64_t stuck;                         /* in IA32_FIXED_CTR_CTRL, whatever is written */
static unsigned reads;

static const struct exception none = {.vector = EXCEPTION_NO_VECTOR};

struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    if (++reads % EVERY == 0) {
        selects[2] = handler_select ? handler_select : selects[2];
        fixed_control |= handler_field;
    }
    *value =
        number == IA32_FIXED_CTR_CTRL ? fixed_control | stuck : selects[number - IA32_PERFEVTSEL0];
    return none;
}

struct exception wrmsr_safe(uint32_t number, uint64_t value)
{
    if (number == IA32_FIXED_CTR_CTRL)
        fixed_control = value;
    else
        selects[number - IA32_PERFEVTSEL0] = value;
    return none;
}

bool tsx_abort_refused(void)
{
    return false;
}

unsigned pmu_version(void)
{
    return 4;
}

bool pmu_counter_enumerated(struct counter counter)
{
    return !counter.fixed && counter.number < GENERAL;
}

uint32_t pmu_select_register(unsigned number)
{
    return IA32_PERFEVTSEL0 + number;
}

unsigned pmu_general_count(void)
{
    return GENERAL;
}

static void expect_none(const char *what)
{
    CHECK(!foreign_counters_look() && !foreign_counters() && !foreign_fixed_fields(), "%s", what);
}

int main(void)
{
    char text[FOREIGN_TEXT_SIZE];

    selects[1] = 0x4300c0;
    fixed_control = 0xb0;
    expect_none("left by firmware, and not set up again");
    CHECK(!selects[1] && !fixed_control, "they were cleared");
    stuck = 0x4;
    expect_none("a bit that cannot be cleared");
    stuck = 0;
    handler_field = 0xb0;
    CHECK(foreign_counters_look() && foreign_counters() == 2ull << 32, "fixed1: %#lx",
          foreign_counters());
    CHECK_TEXT(foreign_counters_describe(text, sizeof text),
               "fixed1 (IA32_FIXED_CTR_CTRL is cleared and becomes B0H)");
    CHECK(foreign_fixed_fields() == 0xf0000000f0, "%#lx", foreign_fixed_fields());
    fixed_control |= 0x3;
    CHECK(!foreign_counters_look() && fixed_control == 0xb0, "it is known, and left alone: %#lx",
          fixed_control);
    handler_select = 0x43013c;
    CHECK(foreign_counters_look() && foreign_counters() == (2ull << 32 | 4), "PMC2 too");
    foreign_counters_describe(text, sizeof text);
    CHECK(!strncmp(text, "pmc2, fixed1 (", 14), "%s", text);
    return check_result();
}
