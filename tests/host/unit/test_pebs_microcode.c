/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which microcode allows PEBS to be switched on (erratum BJ106, F13.13)? */
#include "arch/trace/pebs.h"

#include <string.h>

#include "arch/trace/pmu.h"
#include "arch/trace/foreign_counters.h"
#include "check.h"
#include "arch/trace/features.h"

bool identity_is_somebodys_guest(const struct cpu_identity *identity)
{
    return identity->hypervisor[0];
}

/* What the file's other functions take; none of them is called here. */
uint64_t foreign_counters(void)
{
    return 0;
}

uint64_t pmu_all_counters(void)
{
    return 0;
}

uint64_t pmu_in_doubt_bits(void)
{
    return 0;
}

bool pmu_has_blocks(void)
{
    return false;
}

unsigned pebs_format(void)
{
    return 1;
}

static uint32_t wanted(uint8_t model, uint8_t stepping, uint32_t microcode)
{
    struct cpu_identity *identity = &cpu_features()->identity;

    identity->family = 6;
    identity->model = model;
    identity->stepping = stepping;
    identity->microcode = microcode;
    return pebs_microcode_wanted();
}

/* Revisions of F13.13: the one that mends it is good itself. */
static void test_each_revision(void)
{
    static const struct {
        uint8_t model, stepping;
        uint32_t mends;
    } rows[] = {{0x2a, 7, 0x28}, {0x2d, 6, 0x618}, {0x2d, 7, 0x70c}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t model = rows[i].model, stepping = rows[i].stepping;
        uint32_t mends = rows[i].mends;

        CHECK(wanted(model, stepping, 0) == mends, "%#x: no microcode", model);
        CHECK(wanted(model, stepping, mends - 1) == mends, "%#x: the one before", model);
        CHECK(!wanted(model, stepping, mends), "%#x: the one that mends it", model);
        CHECK(!wanted(model, stepping, mends + 1), "%#x: a later one", model);
        CHECK(!wanted((uint8_t)(model + 1), stepping, 0), "another model than %#x", model);
        CHECK(!wanted(model, 8, 0), "another stepping of %#x", model);
    }
}

/* What a hypervisor says of the microcode is no revision. */
static void test_guest(void)
{
    cpu_features()->identity.hypervisor[0] = 'K';
    CHECK(!wanted(0x2a, 7, 1), "a guest");
}

int main(void)
{
    strcpy(cpu_features()->identity.vendor, "GenuineIntel");
    test_each_revision();
    test_guest();
    return check_result();
}
