/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is each model in the table once, with its core's features, and is no other processor's number
 * taken? */
#include "arch/cpu/identity/models.h"

#include "arch/cpu/identity/features.h"
#include "arch/trace/lbr_format.h"
#include "check.h"

static const struct {
    uint32_t family, model;
} listed[] = {
#define PROCESSOR(family_, model_, ...) {family_, model_},
#define HYBRID(family_, model_, ...)    {family_, model_},
#include "arch/cpu/identity/models.def"
#undef PROCESSOR
#undef HYBRID
};

#define LISTED (sizeof listed / sizeof listed[0])

static const struct cpu_identity *be(uint32_t family, uint32_t model)
{
    cpu_features()->identity =
        (struct cpu_identity){.vendor = "GenuineIntel", .family = family, .model = model};
    return &cpu_features()->identity;
}

static const struct cpu_identity *be_core(uint32_t model, uint32_t type)
{
    be(6, model);
    cpu_features()->identity.core = type << CORE_TYPE | 1;
    return &cpu_features()->identity;
}

static void test_each_once(void)
{
    for (size_t i = 0; i < LISTED; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(listed[i].family != listed[j].family || listed[i].model != listed[j].model,
                  "%02X_%02XH twice", listed[i].family, listed[i].model);
}

/* A row that no processor has, and a processor whose row says nothing, are mistakes. */
static void test_each_core(void)
{
    uint64_t used = 0;

    for (size_t i = 0; i < LISTED; i++) {
        const struct cpu_identity *cpu = be(listed[i].family, listed[i].model);

        CHECK(processor_name(cpu), "%02X_%02XH", cpu->family, cpu->model);
        used |= 1ull << core_of(cpu);
        cpu_features()->identity.core = CORE_ATOM << CORE_TYPE;
        used |= 1ull << core_of(cpu);
    }
    CHECK(used >> 1 == (1ull << (CORES - 1)) - 1, "cores of no processor: %#llx",
          ~used & ((1ull << CORES) - 1));
}

static void expect_core(uint32_t family, uint32_t model, enum core core)
{
    CHECK(core_of(be(family, model)) == core, "%02X_%02XH: core %u", family, model,
          core_of(&cpu_features()->identity));
}

/* The first and last model of each line, its servers, and those that are easily forgotten. */
static void test_cores(void)
{
    expect_core(6, 0x0f, CORE_MEROM);
    expect_core(6, 0x16, CORE_MEROM);
    expect_core(6, 0x2f, CORE_WESTMERE);
    expect_core(6, 0x56, CORE_BROADWELL);
    expect_core(6, 0x66, CORE_CANNON_LAKE);
    expect_core(6, 0x6c, CORE_SUNNY_COVE);
    expect_core(6, 0x9d, CORE_SUNNY_COVE);
    expect_core(6, 0xd7, CORE_GOLDEN_COVE);
    expect_core(6, 0xae, CORE_REDWOOD_COVE);
    expect_core(6, 0x75, CORE_SILVERMONT);
    expect_core(6, 0x85, CORE_KNIGHTS_LANDING);
    expect_core(6, 0x86, CORE_TREMONT);
    expect_core(6, 0xdd, CORE_DARKMONT);
    expect_core(15, 0x06, CORE_PRESCOTT);
    expect_core(18, 0x01, CORE_COYOTE_COVE);
    expect_core(18, 0x03, CORE_COYOTE_COVE);
    expect_core(19, 0x01, CORE_PANTHER_COVE);
    expect_core(6, 0xff, CORE_UNKNOWN);
    expect_core(18, 0x97, CORE_UNKNOWN);
    expect_core(5, 0x04, CORE_UNKNOWN);
}

static void test_hybrids(void)
{
    CHECK(core_of(be_core(0x8a, CORE_CORE)) == CORE_SUNNY_COVE, "Lakefield");
    CHECK(core_of(be_core(0x8a, CORE_ATOM)) == CORE_TREMONT, "Lakefield, E-core");
    CHECK(core_of(be_core(0x97, CORE_ATOM)) == CORE_GRACEMONT, "Alder Lake, E-core");
    CHECK(core_of(be_core(0xbe, CORE_ATOM)) == CORE_GRACEMONT, "Alder Lake-N");
    CHECK(core_of(be_core(0x8f, CORE_CORE)) == CORE_GOLDEN_COVE, "a server that tells its core");
}

static void expect_trait(const char *what, uint32_t model, uint32_t type, enum core_trait trait,
                         bool expected)
{
    be_core(model, type);
    CHECK(core_has(trait) == expected, "%s", what);
}

static void test_traits(void)
{
    expect_trait("Denverton", 0x5f, 0, OVERCOUNTS_FAR, true);
    expect_trait("Skylake", 0x5e, 0, OVERCOUNTS_FAR, false);
    expect_trait("E-core of Alder Lake", 0x97, CORE_ATOM, OVERCOUNTS_FAR, true);
    expect_trait("P-core of Alder Lake", 0x97, CORE_CORE, OVERCOUNTS_FAR, false);
    expect_trait("P-core of Alder Lake", 0x97, CORE_CORE, HAS_RTM, true);
    expect_trait("E-core of Alder Lake", 0x97, CORE_ATOM, HAS_RTM, false);
    expect_trait("Granite Rapids-D", 0xae, 0, HAS_RTM, true);
    expect_trait("Ivy Bridge", 0x3a, 0, HAS_RTM, false);
    expect_trait("Ivy Bridge", 0x3a, 0, MINDS_FREQUENCY, true);
    expect_trait("Ivy Bridge-E", 0x3e, 0, MINDS_FREQUENCY, false);
    expect_trait("Cannon Lake", 0x66, 0, SHARES_COUNTERS, true);
    expect_trait("Conroe-L", 0x16, 0, PEBS_IS_UNUSABLE, true);
    expect_trait("Penryn", 0x17, 0, PEBS_IS_UNUSABLE, false);
    expect_trait("Penryn", 0x17, 0, LEAVES_BANK_0, true);
    expect_trait("Dunnington", 0x1d, 0, LEAVES_BANK_0, false);
    be(18, 0x01);
    CHECK(!core_has(LEAVES_BANK_0), "Nova Lake, whose number is below Nehalem's");
}

static void expect_pebs(uint32_t model, enum pebs_on expected)
{
    be(6, model);
    CHECK(core_facts(&cpu_features()->identity)->pebs == expected, "model %#x", model);
}

static void test_pebs(void)
{
    expect_pebs(0x57, PEBS_ON_PMC0);
    expect_pebs(0x85, PEBS_ON_PMC0);
    expect_pebs(0x4c, PEBS_ON_PMC0);
    expect_pebs(0x5f, PEBS_ON_PMC0);
    expect_pebs(0x7a, PEBS_ON_ALL);
    expect_pebs(0x5e, PEBS_BY_FORMAT);
    expect_pebs(0x8a, PEBS_BY_FORMAT);
    expect_pebs(0xff, PEBS_BY_FORMAT);
}

/* The numbers of its models are those of many Intel processors. */
static void test_other_vendors(void)
{
    struct cpu_identity cpu = *be(6, 0x0f);

    cpu.vendor[0] = 'C';
    CHECK(core_of(&cpu) == CORE_UNKNOWN && !processor_name(&cpu) && !lbr_stack_of(&cpu), "Isaiah");
}

int main(void)
{
    test_each_once();
    test_each_core();
    test_cores();
    test_hybrids();
    test_traits();
    test_pebs();
    test_other_vendors();
    return check_result();
}
