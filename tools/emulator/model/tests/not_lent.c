// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Facilities that are enumerated and have nothing behind them: which registers and bits that takes
 * away, in both ways, and that it takes away no other.
 */
#include <string.h>

#include "check.h"
#include "machine.h"

#define LAST_MSR    0x1fff
#define MASK        (BTS_BITS | FREEZE_BITS | LBR | BTF)
#define BTS_BITS    (TR | BTS | BTINT | OFF_OS | OFF_USR)
#define FREEZE_BITS (FREEZE_LBRS | FREEZE_PERFMON | FREEZE_WHILE_SMM)

#define ADAPTIVE         (1ull << 34) /* of IA32_PERFEVTSELx */
#define LOG_EVENTS       (1ull << 35)
#define FIXED_0_ADAPTIVE (1ull << 32) /* of IA32_FIXED_CTR_CTRL */
#define CONFIG_C(n)      (0x1903u + 4 * (n))

static struct machine machine, whole;

static void lend_all_but(const char *names, const char *way)
{
    CHECK(ds_not_lent_set(&machine.cpu.not_lent, names) == NULL);
    CHECK(ds_not_lent_set_way(&machine.cpu.not_lent, way) == NULL);
}

/* With the stack of the model; with the architectural one, PEBS with a baseline, and a log. */
static void start_model(void)
{
    machine_start(&machine);
    machine.cpu.profile.ler_writable = true;
}

static void start_arch_lbr(void)
{
    machine_start_model(&machine, 0x8f, 5, 0x74ff);
    struct ds_profile *profile = &machine.cpu.profile;

    profile->arch_lbr = profile->xsaves_lbr = true;
    profile->lbr_leaf_eax = 0x4000000b, profile->lbr_leaf_ebx = 7, profile->lbr_leaf_ecx = 0xf0007;
    CHECK(ds_profile_check(profile) == NULL);
    ds_reset(&machine.cpu);
    ds_set_long_mode(&machine.cpu, true);
}

static void start_arch_pebs(void)
{
    machine_start(&machine);
    struct ds_profile *profile = &machine.cpu.profile;

    profile->perfmon_version = 6;
    profile->fixed_counters = 4, profile->metrics = 4;
    profile->perf_capabilities = 0x3fc5;
    profile->pebs_unavailable = true;
    profile->leaf_23 = 0x3f, profile->events = 0x1dff;
    profile->arch_pebs_config = 0x60060378, profile->arch_pebs_counters = 0xf000000ff;
    profile->reloadable = 1, profile->reload_causes = 2;
    CHECK(ds_profile_check(profile) == NULL);
    ds_reset(&machine.cpu);
    ds_set_long_mode(&machine.cpu, true);
}

static void (*const starts[])(void) = {start_model, start_arch_lbr, start_arch_pebs};

#define STARTS (sizeof(starts) / sizeof(starts[0]))

struct row {
    const char *name;
    uint32_t first, last;
};

/* The registers that are a facility's as a whole, as far as a processor has them. */
static const struct row registers[] = {
    {"counters", 0x0c1, 0x0c8}, {"counters", 0x186, 0x18d},   {"counters", 0x1a6, 0x1a7},
    {"counters", 0x309, 0x30c}, {"counters", 0x329, 0x329},   {"counters", 0x38d, 0x392},
    {"counters", 0x4c1, 0x4c8}, {"counters", 0x1900, 0x19bf}, {"pebs", 0x3f1, 0x3f2},
    {"pebs", 0x3f4, 0x3f7},     {"ds-area", 0x600, 0x600},    {"lbr", 0x1c8, 0x1c9},
    {"lbr", 0x680, 0x69f},      {"lbr", 0x6c0, 0x6df},        {"lbr", 0xdc0, 0xddf},
    {"lbr", 0x14ce, 0x14cf},    {"lbr", 0x1200, 0x121f},      {"lbr", 0x1500, 0x151f},
    {"lbr", 0x1600, 0x161f},    {"ler", 0x1dd, 0x1e0},
};

static bool belongs(uint32_t msr, const char *name)
{
    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
        if (msr >= registers[i].first && msr <= registers[i].last &&
            strcmp(registers[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Nothing is behind it: it is refused, or reads 0 whatever is written. */
static void check_taken(uint32_t msr, bool drops)
{
    enum ds_msr_result expected = drops ? DS_MSR_DONE : DS_MSR_FAULT;
    uint64_t value = 0;

    for (unsigned i = 0; i < 2; i++) {
        uint64_t written = i ? ~0ull : 0;
        CHECK_EQUAL(ds_msr_write(&machine.cpu, &machine.host, msr, written), expected);
        CHECK_EQUAL(ds_msr_read(&machine.cpu, msr, &value), expected);
        CHECK_EQUAL(value, 0);
    }
}

/* It is as that of a processor that lends all. */
static void check_left(uint32_t msr)
{
    uint64_t value = 0x5a5a, expected = 0x5a5a;
    enum ds_msr_result result = ds_msr_read(&whole.cpu, msr, &expected);

    CHECK_EQUAL(ds_msr_read(&machine.cpu, msr, &value), result);
    CHECK_EQUAL(value, expected);
    result = ds_msr_write(&whole.cpu, &whole.host, msr, expected);
    CHECK_EQUAL(ds_msr_write(&machine.cpu, &machine.host, msr, expected), result);
}

static void check_register(uint32_t msr, const char *name, bool drops)
{
    uint64_t value;
    bool exists = ds_msr_read(&whole.cpu, msr, &value) == DS_MSR_DONE;

    if (exists && belongs(msr, name)) {
        check_taken(msr, drops);
    } else {
        check_left(msr);
    }
}

static void each_takes_its_registers(void)
{
    static const char *const names[] = {"bts", "ds-area", "pebs", "freeze",  "lbr",
                                        "btf", "ler",     "pmi",  "counters"};

    for (size_t i = 0; i < STARTS * 2; i++) {
        for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
            starts[i / 2]();
            whole = machine;
            whole.host.opaque = &whole;
            lend_all_but(names[j], i % 2 ? "drop" : "fault");
            for (uint32_t msr = 0; msr <= LAST_MSR; msr++) {
                check_register(msr, names[j], i % 2);
            }
            machine.cpu.not_lent = whole.cpu.not_lent;
            CHECK(memcmp(&machine.cpu, &whole.cpu, sizeof(whole.cpu)) == 0);
        }
    }
}

/* Exactly the bits of mask can be set, each alone; the others of missing are refused or dropped. */
static void check_bits(uint32_t msr, uint64_t there, uint64_t missing, bool drops)
{
    for (uint64_t bit = 1; bit; bit <<= 1) {
        bool taken = there & ~missing & bit || (drops && missing & bit);
        machine_write(&machine, msr, 0);
        CHECK_EQUAL(ds_msr_write(&machine.cpu, &machine.host, msr, bit),
                    taken ? DS_MSR_DONE : DS_MSR_FAULT);
        CHECK_EQUAL(machine_msr(&machine, msr), there & ~missing & bit);
    }
}

static void each_takes_its_bits_of_debugctl(void)
{
    static const struct {
        const char *names;
        uint64_t bits;
    } rows[] = {
        {"bts", BTS_BITS},
        {"freeze", FREEZE_BITS},
        {"lbr", LBR},
        {"btf", BTF},
        {"bts+btf", BTS_BITS | BTF},
        {"ds-area", 0},
        {"pebs", 0},
        {"ler", 0},
        {"pmi", 0},
        {"counters", 0},
    };

    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        start_model();
        lend_all_but(rows[i / 2].names, i % 2 ? "drop" : "fault");
        check_bits(IA32_DEBUGCTL, MASK, rows[i / 2].bits, i % 2);
    }
    for (unsigned drops = 0; drops < 2; drops++) { /* what else can be set is set all the same */
        start_model();
        lend_all_but("bts", "drop");
        machine_write(&machine, IA32_DEBUGCTL, TR | BTS | BTF);
        CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), BTF);
        machine_refuses(&machine, IA32_DEBUGCTL, TR | 1ull << 5);
        start_arch_lbr(); /* bit 0 is no enable here: it is taken and reads 0 as ever */
        lend_all_but("lbr", drops ? "drop" : "fault");
        machine_write(&machine, IA32_DEBUGCTL, LBR | BTF);
        CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), BTF);
    }
}

static void bits_among_those_of_counters(void)
{
    for (unsigned drops = 0; drops < 2; drops++) {
        start_arch_lbr();
        lend_all_but("pebs", drops ? "drop" : "fault");
        check_bits(IA32_PERFEVTSEL0, 0xffdfffffull | LOG_EVENTS | ADAPTIVE, ADAPTIVE, drops);
        check_bits(IA32_FIXED_CTR_CTRL, 0xbbb | FIXED_0_ADAPTIVE * 0x111, FIXED_0_ADAPTIVE * 0x111,
                   drops);
        lend_all_but("lbr", drops ? "drop" : "fault");
        check_bits(IA32_PERFEVTSEL0, 0xffdfffffull | LOG_EVENTS | ADAPTIVE, LOG_EVENTS, drops);
        start_arch_pebs();
        lend_all_but("pebs", drops ? "drop" : "fault");
        uint64_t pebs = 0x60060378ull << 32 | 1ull << 63;
        check_bits(CONFIG_C(0), pebs | 0xffffffff, pebs, drops); /* reloaded by others, too */
        check_bits(CONFIG_C(1), pebs | 0xffffffff, pebs | 0xffffffff, drops);
    }
}

/* The register of other states stays, its bit goes. */
static void xsaves_leaves_the_stack_out(void)
{
    for (unsigned drops = 0; drops < 2; drops++) {
        start_arch_lbr();
        check_bits(IA32_XSS, 1u << 15, 0, false);
        lend_all_but("lbr", drops ? "drop" : "fault");
        check_bits(IA32_XSS, 1u << 15, 1u << 15, drops);
    }
}

static void rdpmc_is_the_counters(void)
{
    uint64_t value = 0x5a5a;

    start_arch_pebs();
    machine_write(&machine, IA32_A_PMC0, 7);
    lend_all_but("pebs+lbr+pmi", "fault");
    CHECK(ds_rdpmc(&machine.cpu, 0, 0, &value));
    CHECK_EQUAL(value, 7);
    for (unsigned i = 0; i < 3; i++) {
        static const uint32_t indices[] = {0, 1u << 30, 1u << 29};
        lend_all_but("counters", "fault");
        CHECK(!ds_rdpmc(&machine.cpu, 0, indices[i], &value));
        lend_all_but("counters", "drop");
        value = 0x5a5a;
        CHECK(ds_rdpmc(&machine.cpu, 0, indices[i], &value));
        CHECK_EQUAL(value, 0);
    }
}

/* The counter overflows, or the buffer reaches its threshold: how many requests have come. */
static unsigned requests_of_a_counter(void)
{
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 1);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT_INT | INSTRUCTIONS);
    machine_write(&machine, IA32_A_PMC0, (1ull << 48) - 2);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    machine_run(&machine, 5);
    CHECK(machine_msr(&machine, IA32_PMC0) < 10);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS) & 1, 1);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    return machine.pmis;
}

static unsigned requests_of_a_buffer(void)
{
    machine_bts(&machine, 8, 1, 4);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine_branches(&machine, 1, 4);
    CHECK(machine_holds(&machine, 3, 4));
    machine_debugctl(&machine, 0);
    return machine.pmis;
}

static void an_interrupt_that_never_comes(void)
{
    start_model();
    CHECK_EQUAL(requests_of_a_counter(), 1);
    CHECK_EQUAL(requests_of_a_buffer(), 2);
    for (unsigned i = 0; i < 4; i++) {
        start_model();
        machine.cpu.variation.pmi_skid = i / 2 * 3;
        lend_all_but("pmi", i % 2 ? "drop" : "fault");
        CHECK_EQUAL(requests_of_a_counter(), 0);
        CHECK_EQUAL(requests_of_a_buffer(), 0);
        ds_halt(&machine.cpu, &machine.host);
        CHECK_EQUAL(machine.pmis, 0);
    }
}

static void each_may_have_a_way_of_its_own(void)
{
    start_model();
    lend_all_but("bts+lbr:drop", "fault"); /* as KVM does */
    machine_refuses(&machine, IA32_DEBUGCTL, TR);
    machine_write(&machine, IA32_DEBUGCTL, LBR | BTF);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), BTF);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 0);
    lend_all_but("bts,lbr:fault", "drop");
    machine_write(&machine, IA32_DEBUGCTL, TR);
    machine_refuses(&machine, IA32_DEBUGCTL, LBR);
    machine_refuses_read(&machine, MSR_LASTBRANCH_TOS);
}

static void it_outlasts_reset_and_init(void)
{
    start_model();
    lend_all_but("bts", "fault");
    ds_reset(&machine.cpu);
    machine_refuses(&machine, IA32_DEBUGCTL, TR);
    ds_init(&machine.cpu);
    machine_refuses(&machine, IA32_DEBUGCTL, TR);
}

/* What is not there stays so, and what tells that it is there goes on telling it. */
static void enumeration_stays(void)
{
    uint32_t told[4], expected[4];

    start_model();
    uint64_t misc_enable = machine_msr(&machine, IA32_MISC_ENABLE);

    ds_profile_leaf_0a(&machine.cpu.profile, expected);
    lend_all_but("bts+ds-area+pebs+freeze+lbr+btf+ler+pmi+counters", "drop");
    ds_profile_leaf_0a(&machine.cpu.profile, told);
    CHECK(memcmp(told, expected, sizeof(told)) == 0 && told[0] > 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), misc_enable);
    CHECK_EQUAL(misc_enable & 0x1880, 0x80);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_CAPABILITIES), 0x33c5);
    machine_refuses_read(&machine, IA32_LBR_CTL); /* not of this processor */
    machine_refuses_read(&machine, MSR_PERF_METRICS);
}

static void what_makes_no_sense_is_refused(void)
{
    static const char *const wrong[] = {"bt",        "btss",     "bts+",
                                        "+bts",      "bts++lbr", "bts:",
                                        "bts:drops", ":drop",    "bts:drop+bts:fault",
                                        "bts drop",  "BTS"};
    struct ds_not_lent settings = {0}, before;

    CHECK(ds_not_lent_set(&settings, "lbr+pmi:drop") == NULL);
    before = settings;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        CHECK(ds_not_lent_set(&settings, wrong[i]) != NULL);
    }
    CHECK(ds_not_lent_set_way(&settings, "") != NULL);
    CHECK(ds_not_lent_set_way(&settings, "ignore") != NULL);
    CHECK(memcmp(&settings, &before, sizeof(before)) == 0);
    CHECK(ds_not_lent_set_way(&settings, "drop") == NULL);
    CHECK(ds_not_lent_set(&settings, "") == NULL);
    CHECK(settings.facilities == 0 && settings.others_drop); /* in either order */
}

const struct test not_lent_tests[] = {
    {"not lent: each takes its registers", each_takes_its_registers},
    {"not lent: each takes its bits of IA32_DEBUGCTL", each_takes_its_bits_of_debugctl},
    {"not lent: bits among those of counters", bits_among_those_of_counters},
    {"not lent: XSAVES leaves the stack out", xsaves_leaves_the_stack_out},
    {"not lent: RDPMC is the counters'", rdpmc_is_the_counters},
    {"not lent: an interrupt that never comes", an_interrupt_that_never_comes},
    {"not lent: each may have a way of its own", each_may_have_a_way_of_its_own},
    {"not lent: it outlasts RESET and INIT", it_outlasts_reset_and_init},
    {"not lent: enumeration stays", enumeration_stays},
    {"not lent: what makes no sense is refused", what_makes_no_sense_is_refused},
    {0},
};
