/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in the registers behind a WRMSR that the processor takes? */
#include "tests/spec/write_effect.h"

#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "check.h"
#include "tests/spec/choices/freeze_flavour.h"

uint64_t freeze_written(uint64_t debugctl)
{
    return debugctl;
}

/* Two counters of 48 bits, two fixed ones of 40. */
static void be(void)
{
    *cpu_features() = (struct cpu_features){.present[FEATURE_PERFMON2] = true};
    *trace_features() = (struct trace_features){.perfmon = {.version = 2,
                                                            .counters = 2,
                                                            .counter_bits = 48,
                                                            .fixed_counters = 2,
                                                            .fixed_counter_bits = 40}};
}

static struct facility written(uint32_t number, uint64_t value)
{
    struct facility all;

    memset(&all, 0xff, sizeof all);
    write_effect(&all, &(struct register_write){number, value});
    return all;
}

/* The register that changes, and nothing else. */
#define CHECK_WRITE(number, value, member, expected)                                               \
    do {                                                                                           \
        struct facility got = written(number, value), wanted;                                      \
                                                                                                   \
        memset(&wanted, 0xff, sizeof wanted);                                                      \
        wanted.member = (expected);                                                                \
        CHECK(got.member == wanted.member, #member " is %#llx", (unsigned long long)got.member);   \
        CHECK(memcmp(&got, &wanted, sizeof got) == 0, #number " changes another one, too");        \
    } while (0)

static void test_one_each(void)
{
    be();
    CHECK_WRITE(IA32_DEBUGCTL, DEBUGCTL_TR, debugctl, DEBUGCTL_TR);
    CHECK_WRITE(MSR_LBR_SELECT, 5, select, 5);
    CHECK_WRITE(IA32_DS_AREA, 0x1000, ds_area, 0x1000);
    CHECK_WRITE(IA32_PEBS_ENABLE, 1, pebs_enable, 1);
    CHECK_WRITE(MSR_PEBS_DATA_CFG, 7, data_config, 7);
    CHECK_WRITE(IA32_PERF_GLOBAL_CTRL, 3, control, 3);
    CHECK_WRITE(IA32_FIXED_CTR_CTRL, 0x33, fixed_control, 0x33);
    CHECK_WRITE(IA32_PERFEVTSEL0 + 1, 0x4100c0, event_select[1], 0x4100c0);
    CHECK_WRITE(IA32_PERF_GLOBAL_OVF_CTRL, 5, status, ~5ull);
    CHECK_WRITE(IA32_PERF_GLOBAL_STATUS_SET, 5, status, ~0ull);
}

static void test_counters(void)
{
    be();
    CHECK_WRITE(IA32_PMC0 + 1, 0x7fffffff, general[1], 0x7fffffff);
    CHECK_WRITE(IA32_PMC0, 0x80000000, general[0], 0xffff80000000);
    CHECK_WRITE(IA32_PMC0, 0x123400000001, general[0], 1);
    CHECK_WRITE(IA32_A_PMC0, 0x123480000000, general[0], 0x123480000000);
    CHECK_WRITE(IA32_A_PMC0, 1ull << 48, general[0], 0);
    CHECK_WRITE(IA32_FIXED_CTR0 + 1, 1ull << 40 | 9, fixed[1], 9);
}

static void test_lbr_elsewhere(void)
{
    struct facility got;

    be();
    cpu_features()->present[FEATURE_ARCH_LBR] = true;
    got = written(IA32_DEBUGCTL, DEBUGCTL_TR);
    CHECK(got.debugctl == (DEBUGCTL_TR | DEBUGCTL_LBR), "LBREn has a register of its own");
}

static void test_others(void)
{
    struct facility got, wanted;

    be();
    memset(&wanted, 0xff, sizeof wanted);
    got = written(IA32_PMC0 + 2, 1);
    CHECK(memcmp(&got, &wanted, sizeof got) == 0, "a counter that does not exist");
    got = written(0x10, 1);
    CHECK(memcmp(&got, &wanted, sizeof got) == 0, "a register of another kind");
}

int main(void)
{
    test_one_each();
    test_counters();
    test_lbr_elsewhere();
    test_others();
    return check_result();
}
