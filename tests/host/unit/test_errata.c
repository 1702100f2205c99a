/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processors a row is about, which findings it explains, and that the table makes sense. */
#include "kernel/report/errata.h"

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

#define SILICON                                                                                    \
    {                                                                                              \
        .vendor = "GenuineIntel", .family = 6, .model = 0x3c, .stepping = 3, .microcode = 0x20     \
    }

static const struct cpu_identity silicon = SILICON;

static const struct erratum haswell = {
    .owner = ERRATUM_OF_SILICON,
    .cores = ON(HASWELL),
    .steppings = {2, 4},
    .microcode_fixed = 0x24,
};

static void check_processor(const char *what, struct cpu_identity cpu, bool expected)
{
    CHECK(erratum_applies(&haswell, &cpu) == expected, "%s", what);
}

static void check_silicon(void)
{
    struct cpu_identity cpu = SILICON;

    check_processor("as it is", cpu, true);
    cpu.model = 0x45;
    check_processor("the other model", cpu, true);
    cpu.model = 0x47;
    check_processor("another core's model", cpu, false);
    cpu.model = 0;
    check_processor("a model that nobody has", cpu, false);
    cpu = silicon;
    cpu.family = 15;
    check_processor("another family", cpu, false);
    cpu = silicon;
    strcpy(cpu.vendor, "AuthenticAMD");
    check_processor("another vendor", cpu, false);
}

static void check_steppings(void)
{
    static const bool expected[] = {false, false, true, true, true, false};
    struct cpu_identity cpu = SILICON;

    for (cpu.stepping = 0; cpu.stepping < 6; cpu.stepping++)
        check_processor("a stepping", cpu, expected[cpu.stepping]);
}

static void check_microcode(void)
{
    struct cpu_identity cpu = SILICON;
    struct erratum never_fixed = haswell;

    cpu.microcode = 0x23;
    check_processor("the revision before the fix", cpu, true);
    cpu.microcode = 0x24;
    check_processor("the fix", cpu, false);
    never_fixed.microcode_fixed = 0;
    CHECK(erratum_applies(&never_fixed, &cpu), "without a fix");
    strcpy(cpu.hypervisor, "KVMKVMKVM");
    check_processor("a guest, whose revision tells nothing", cpu, true);
    strcpy(cpu.hypervisor, "TCGTCGTCGTCG");
    check_processor("an emulator", cpu, false);
}

static void check_hypervisor(void)
{
    static const struct erratum row = {.owner = ERRATUM_OF_HYPERVISOR, .hypervisor = "XYZ"};
    static const struct erratum any = {.owner = ERRATUM_OF_ANY};
    struct cpu_identity cpu = SILICON;

    CHECK(!erratum_applies(&row, &cpu), "bare metal");
    CHECK(erratum_applies(&any, &cpu), "any");
    strcpy(cpu.hypervisor, "XY");
    CHECK(!erratum_applies(&row, &cpu), "another hypervisor");
    strcpy(cpu.hypervisor, "XYZ");
    CHECK(erratum_applies(&row, &cpu), "its hypervisor");
}

/* The id of the row that explains the finding on this processor. */
static const char *explained(uint32_t model, const struct finding *finding)
{
    static struct cpu_identity cpu = SILICON;
    static const struct test test = {.suite = "any", .name = "test"};
    size_t row;

    cpu.model = model;
    errata_select(&cpu);
    row = errata_find(&test, finding);
    return row == ERRATA_MAX ? "none" : erratum_row(row)->id;
}

#define EXPLAINED(model, id, ...) CHECK_TEXT(explained(model, &(struct finding){__VA_ARGS__}), id)

#define CORE2_45NM 0x17
#define HASWELL    0x3c
#define SKYLAKE    0x5e

/* The symptom, and next to it what looks like it. */
static void check_records(void)
{
    EXPLAINED(HASWELL, "HSD53", .kind = FINDING_RECORD_FROM, .expected = 5, .got = 3,
              .previous = 3);
    EXPLAINED(HASWELL, "HSD53", .kind = FINDING_RECORD_FROM, .expected = 5, .got = 3,
              .first = true);
    EXPLAINED(HASWELL, "none", .kind = FINDING_RECORD_FROM, .expected = 5, .got = 4, .previous = 3);
    EXPLAINED(HASWELL, "none", .kind = FINDING_RECORD_FROM, .bare = true);
    EXPLAINED(HASWELL, "none", .kind = FINDING_RECORD_TO, .expected = 5, .got = 3, .previous = 3);
    EXPLAINED(HASWELL, "none", .kind = FINDING_RECORD_EXTRA, .got = 3, .previous = 3);
    EXPLAINED(HASWELL, "none", .kind = FINDING_RECORD_MISSING, .expected = 3, .previous = 3);
    EXPLAINED(HASWELL, "none", .kind = FINDING_LBR_FROM, .expected = 5, .got = 3, .previous = 3);
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_RECORD_FROM, .expected = 5, .got = 3, .previous = 3);
    EXPLAINED(HASWELL, "HSD1", .kind = FINDING_RECORD_FROM, .expected = 1ull << 47,
              .got = 0xffff800000000000, .previous = 3);
    EXPLAINED(HASWELL, "none", .kind = FINDING_RECORD_FROM, .expected = 1ull << 46,
              .got = 0xffff800000000000, .previous = 3);
    EXPLAINED(CORE2_45NM, "W119", .kind = FINDING_RECORD_FROM, .expected = 1ull << 47,
              .got = 0xffff800000000000);
    EXPLAINED(CORE2_45NM, "none", .kind = FINDING_RECORD_FROM, .expected = 1ull << 47, .got = 3);
    EXPLAINED(CORE2_45NM, "none", .kind = FINDING_RECORD_FROM, .got = 4,
              .under = UNDER(FILTERED) | UNDER(CROSSING));
    EXPLAINED(SKYLAKE, "SKL008", .kind = FINDING_RECORD_FROM, .got = 3, .previous = 3,
              .under = UNDER(ABORT));
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_RECORD_FROM, .got = 4, .previous = 3,
              .under = UNDER(ABORT));
    EXPLAINED(0x0f, "AR62", .kind = FINDING_RECORD_FROM, .got = 4,
              .under = UNDER(FILTERED) | UNDER(CROSSING));
    EXPLAINED(0x0f, "none", .kind = FINDING_RECORD_FROM, .got = 4, .under = UNDER(FILTERED));
    EXPLAINED(0x0f, "none", .kind = FINDING_RECORD_FROM, .got = 4, .under = UNDER(CROSSING));
    EXPLAINED(0x1a, "AAJ122", .kind = FINDING_LBR_FROM, .got = 4);
    EXPLAINED(0x1a, "none", .kind = FINDING_LBR_TO, .got = 4);
    EXPLAINED(0x3c, "none", .kind = FINDING_LBR_FROM, .got = 4);
    EXPLAINED(0x3d, "BDD60", .kind = FINDING_LBR_TO, .under = UNDER(BEFORE_ABORT));
    EXPLAINED(0x3d, "none", .kind = FINDING_LBR_TO, .under = UNDER(ABORT));
    EXPLAINED(0x2c, "nehalem-lbr-select", .kind = FINDING_LBR_MISSING,
              .under = UNDER(CALL) | UNDER(NO_JUMPS));
    EXPLAINED(0x2c, "none", .kind = FINDING_LBR_MISSING, .under = UNDER(CALL));
    EXPLAINED(0x2c, "none", .kind = FINDING_LBR_EXTRA, .under = UNDER(CALL) | UNDER(NO_JUMPS));
    EXPLAINED(0x2a, "BJ32", .kind = FINDING_RECORD_EXTRA, .under = UNDER(SMI));
    EXPLAINED(0x2a, "none", .kind = FINDING_RECORD_EXTRA);
}

static void check_freeze(void)
{
    EXPLAINED(HASWELL, "HSD52", .kind = FINDING_MSR_VALUE, .expected = 0x1801, .got = 0x801,
              .under = UNDER(SMI));
    EXPLAINED(HASWELL, "none", .kind = FINDING_MSR_VALUE, .expected = 0x1801, .got = 0x800,
              .under = UNDER(SMI));
    EXPLAINED(HASWELL, "none", .kind = FINDING_MSR_VALUE, .expected = 0x1801, .got = 0x801);
    EXPLAINED(HASWELL, "none", .kind = FINDING_MSR_VALUE, .expected = 0x801, .got = 0x1801,
              .under = UNDER(SMI));
    EXPLAINED(SKYLAKE, "SKL186", .kind = FINDING_FREEZE_LBR, .expected = 9, .got = 3, .previous = 3,
              .under = UNDER(TWICE));
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_FREEZE_LBR, .expected = 9, .got = 3, .previous = 3,
              .expected_to = 7, .got_to = 7);
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_FREEZE_LBR, .bare = true);
    EXPLAINED(0x2a, "BJ94", .kind = FINDING_FREEZE_LBR, .expected = 9, .got = 3, .previous = 4,
              .expected_to = 7, .got_to = 7);
    EXPLAINED(0x2a, "none", .kind = FINDING_FREEZE_LBR, .expected = 9, .got = 3, .expected_to = 7,
              .got_to = 8);
    EXPLAINED(0x2a, "none", .kind = FINDING_FREEZE_LBR, .bare = true);
    EXPLAINED(SKYLAKE, "SKL090", .kind = FINDING_FREEZE_COUNTERS, .under = UNDER(HIGH_COUNTER));
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_FREEZE_COUNTERS, .under = UNDER(FIXED));
    EXPLAINED(0x0f, "none", .kind = FINDING_FREEZE_LBR, .under = UNDER(FREEZE_LBRS));
    EXPLAINED(0x1c, "bonnell-lbr-freeze", .kind = FINDING_FREEZE_LBR, .under = UNDER(FREEZE_LBRS));
    EXPLAINED(0x1c, "none", .kind = FINDING_FREEZE_LBR);
    EXPLAINED(0x1a, "AAJ148", .kind = FINDING_OVERFLOW_MISSING,
              .under = UNDER(FIXED) | UNDER(FREEZE_COUNTERS));
    EXPLAINED(0x1a, "none", .kind = FINDING_OVERFLOW_MISSING, .under = UNDER(FIXED));
}

static void check_counters(void)
{
    EXPLAINED(HASWELL, "HSD91", .kind = FINDING_PMI_EXTRA, .under = UNDER(COUNTER));
    EXPLAINED(HASWELL, "none", .kind = FINDING_PMI_EXTRA);
    EXPLAINED(HASWELL, "none", .kind = FINDING_PMI_MISSING, .under = UNDER(COUNTER));
    EXPLAINED(0x1a, "AAJ119", .kind = FINDING_PMI_EXTRA, .under = UNDER(COUNTER) | UNDER(SEVERAL));
    EXPLAINED(0x1a, "none", .kind = FINDING_PMI_EXTRA, .under = UNDER(COUNTER));
    EXPLAINED(0x1a, "AAJ80", .kind = FINDING_COUNT_LOW, .under = UNDER(MISPREDICTS));
    EXPLAINED(0x1a, "AAJ80", .kind = FINDING_COUNT_HIGH, .under = UNDER(MISPREDICTS));
    EXPLAINED(0x25, "none", .kind = FINDING_COUNT_HIGH, .under = UNDER(MISPREDICTS));
    EXPLAINED(0x1a, "AAJ79", .kind = FINDING_COUNT_LOW, .under = UNDER(REFERENCE));
    EXPLAINED(0x1a, "none", .kind = FINDING_COUNT_HIGH, .under = UNDER(REFERENCE));
    EXPLAINED(0x1a, "nehalem-short-period", .kind = FINDING_PMI_EXTRA,
              .under = UNDER(COUNTER) | UNDER(SHORT_PERIOD));
    EXPLAINED(0x1a, "none", .kind = FINDING_PMI_EXTRA, .under = UNDER(SHORT_PERIOD) | UNDER(PEBS));
    EXPLAINED(0x2c, "none", .kind = FINDING_PMI_EXTRA,
              .under = UNDER(COUNTER) | UNDER(SHORT_PERIOD));
    EXPLAINED(0x1a, "AAJ35", .kind = FINDING_PMI_VECTOR, .under = UNDER(PENDING));
    EXPLAINED(0x1a, "none", .kind = FINDING_PMI_VECTOR);
    EXPLAINED(SKYLAKE, "SKL117", .kind = FINDING_COUNT_LOW, .under = UNDER(FILTERED));
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_COUNT_HIGH, .under = UNDER(FILTERED));
    EXPLAINED(SKYLAKE, "SKL057", .kind = FINDING_COUNT_LOW, .under = UNDER(LLC));
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_COUNT_HIGH, .under = UNDER(LLC));
    EXPLAINED(HASWELL, "none", .kind = FINDING_COUNT_LOW, .under = UNDER(LLC));
    EXPLAINED(SKYLAKE, "SKL091", .kind = FINDING_COUNT_HIGH, .under = UNDER(STRING));
    EXPLAINED(HASWELL, "HSD140", .kind = FINDING_COUNT_LOW, .under = UNDER(INSTRUCTIONS));
    EXPLAINED(HASWELL, "none", .kind = FINDING_COUNT_LOW, .under = UNDER(PMC3));
    EXPLAINED(HASWELL, "HSD73", .kind = FINDING_COUNT_HIGH, .under = UNDER(INVERTED));
    EXPLAINED(HASWELL, "none", .kind = FINDING_COUNT_LOW, .under = UNDER(INVERTED));
    EXPLAINED(HASWELL, "none", .kind = FINDING_COUNT_HIGH, .under = UNDER(FILTERED));
    EXPLAINED(0x3d, "none", .kind = FINDING_COUNT_HIGH, .under = UNDER(INVERTED));
    EXPLAINED(HASWELL, "HSD176", .kind = FINDING_COUNT_LOW, .under = UNDER(PMC2));
    EXPLAINED(SKYLAKE, "SKL179", .kind = FINDING_COUNT_LOW, .under = UNDER(PMC3));
    EXPLAINED(0x1a, "none", .kind = FINDING_COUNT_LOW); /* AAJ91: the counters are flushed */
    EXPLAINED(0x1a, "none", .kind = FINDING_COUNT_LOW, .under = UNDER(FIXED));
    EXPLAINED(0x3a, "BV80", .kind = FINDING_MSR_VALUE, .under = UNDER(HIGH_COUNTER));
    EXPLAINED(0x3a, "none", .kind = FINDING_MSR_VALUE);
    EXPLAINED(0x3a, "BV85", .kind = FINDING_PMI_EXTRA, .under = UNDER(COUNTER) | UNDER(FIXED2));
    CHECK(symptom_by_fixed2(&(struct finding){.under = UNDER(COUNTER) | UNDER(FIXED2)}) &&
              !symptom_by_fixed2(&(struct finding){.under = UNDER(COUNTER) | UNDER(FIXED)}),
          "fixed counter 2");
}

static void check_pebs(void)
{
    EXPLAINED(0x0f, "none", .kind = FINDING_PMI_MISSING, .under = UNDER(PEBS));
    EXPLAINED(0x0f, "none", .kind = FINDING_PEBS_EXTRA, .under = UNDER(PEBS));
    EXPLAINED(CORE2_45NM, "none", .kind = FINDING_PMI_MISSING, .under = UNDER(PEBS));
    EXPLAINED(CORE2_45NM, "none", .kind = FINDING_PEBS_EXTRA,
              .under = UNDER(PEBS) | UNDER(FILTERED));
    EXPLAINED(CORE2_45NM, "none", .kind = FINDING_FREEZE_LBR,
              .under = UNDER(PEBS) | UNDER(FREEZE_LBRS));
    EXPLAINED(0x3a, "BV51", .kind = FINDING_PMI_EXTRA, .under = UNDER(PEBS) | UNDER(FULL));
    EXPLAINED(0x3a, "none", .kind = FINDING_PMI_EXTRA, .under = UNDER(PEBS));
    EXPLAINED(HASWELL, "HSD159", .kind = FINDING_PEBS_EXTRA, .got = 1,
              .under = UNDER(PEBS) | UNDER(DISABLED));
    EXPLAINED(HASWELL, "none", .kind = FINDING_PEBS_EXTRA, .got = 2,
              .under = UNDER(PEBS) | UNDER(DISABLED));
    EXPLAINED(HASWELL, "HSD11", .kind = FINDING_PEBS_EXTRA,
              .under = UNDER(PEBS) | UNDER(SHORT_PERIOD) | UNDER(PDIR));
    EXPLAINED(HASWELL, "none", .kind = FINDING_PMI_EXTRA,
              .under = UNDER(PEBS) | UNDER(SHORT_PERIOD) | UNDER(FULL));
    EXPLAINED(HASWELL, "HSD110", .kind = FINDING_PEBS_IP, .expected = 1);
    EXPLAINED(HASWELL, "none", .kind = FINDING_PEBS_GPR, .expected = 1);
    EXPLAINED(HASWELL, "HSD110", .kind = FINDING_PEBS_MISSING, .expected = 1,
              .under = UNDER(PEBS) | UNDER(LAST_EVENT));
    EXPLAINED(HASWELL, "none", .kind = FINDING_PEBS_MISSING, .expected = 2,
              .under = UNDER(PEBS) | UNDER(LAST_EVENT));
    EXPLAINED(HASWELL, "none", .kind = FINDING_PEBS_MISSING, .expected = 1, .under = UNDER(PEBS));
    EXPLAINED(SKYLAKE, "none", .kind = FINDING_PEBS_IP, .expected = 1);
    EXPLAINED(SKYLAKE, "SKL120", .kind = FINDING_PEBS_EVENTING_IP, .expected = 1);
    EXPLAINED(0x3a, "pebs-status-merged", .kind = FINDING_PEBS_STATUS,
              .under = UNDER(PEBS) | UNDER(SEVERAL));
    EXPLAINED(0x3a, "none", .kind = FINDING_PEBS_STATUS, .under = UNDER(PEBS));
    CHECK(symptom_pebs_switched(&(struct finding){.under = UNDER(PEBS) | UNDER(DISABLED)}) &&
              !symptom_pebs_switched(&(struct finding){.under = UNDER(PEBS)}),
          "PEBS switched on and off");
}

/* Whatever a row says, trouble of the test itself is never explained. */
static void check_the_test_itself(void)
{
    struct erratum row = {.kinds = ~0ull, .symptom = symptom_any};

    for (unsigned kind = 0; kind < FINDING_KINDS; kind++) {
        const struct finding finding = {.kind = (enum finding_kind)kind};

        CHECK(erratum_explains(&row, &finding) == (kind > FINDING_EXCEPTION), "%s",
              finding_name(finding.kind));
    }
}

static void check_rate(void)
{
    struct erratum row = {.per_thousand = 100};

    CHECK(erratum_allows(&row, 0) > 0 && erratum_allows(&row, 0) < 10, "of none");
    CHECK(erratum_allows(&row, 10000) - erratum_allows(&row, 0) == 1000, "of ten thousand");
    row.per_thousand = 5;
    CHECK(erratum_allows(&row, 0) == 2, "what is seldom");
    row.per_thousand = 1000;
    CHECK(erratum_allows(&row, 0) == UINT64_MAX, "as often as it likes");
}

static void check_names(void)
{
    struct cpu_identity cpu = SILICON;
    unsigned counts[ERRATA_MAX] = {0};
    char text[256];

    errata_select(NULL);
    CHECK_TEXT(errata_format(text, sizeof(text)), "");
    errata_select(&cpu);
    CHECK(strstr(errata_format(text, sizeof(text)), " HSD53") == text, "%s", text);
    CHECK(strstr(strstr(text, "HSD53") + 1, "HSD53") == NULL, "said twice: %s", text);
    CHECK(strstr(text, "SELF") == NULL && strstr(text, "kvm") == NULL, "%s", text);
    CHECK(strlen(errata_format(text, 8)) < 8, "longer than its room");
    counts[0] = 2;
    counts[1] = 1;
    CHECK_TEXT(errata_format_counts(counts, text, sizeof(text)), "AR62 x2 HSD53 x1");
}

static const char *certain(const char *suite, const char *name)
{
    const struct test test = {.suite = suite, .name = name};
    const struct erratum *row = errata_certain(&test);

    return row == NULL ? "none" : row->id;
}

static void check_certain(void)
{
    struct cpu_identity cpu = SILICON;

    errata_select(&cpu);
    CHECK_TEXT(certain("selftest", "deliberate_deviation_fails"), "SELF1");
    CHECK_TEXT(certain("selftest", "deliberate_part_of_a_deviation"), "none");
    errata_select(NULL);
    CHECK_TEXT(certain("selftest", "deliberate_deviation_fails"), "none");
}

/* A row of the table that has a stepping and a revision that fixes it. */
static void check_mended_row(void)
{
    const struct test test = {.suite = "pebs", .name = "disabled_stores_nothing"};
    const struct finding finding = {.kind = FINDING_PEBS_EXTRA,
                                    .under = UNDER(PEBS) | UNDER(DISABLED)};
    struct cpu_identity cpu = SILICON;
    size_t row;

    cpu.model = 0x2a;
    cpu.stepping = 7;
    cpu.microcode = 0x27;
    errata_select(&cpu);
    row = errata_find(&test, &finding);
    CHECK(row != ERRATA_MAX && strcmp(erratum_row(row)->id, "BJ106") == 0, "before the fix");
    cpu.microcode = 0x28;
    CHECK(errata_find(&test, &finding) == ERRATA_MAX, "with the fix");
    cpu.microcode = 0x27;
    cpu.stepping = 6;
    CHECK(errata_find(&test, &finding) == ERRATA_MAX, "another stepping");
}

/* The freeze of Goldmont before its microcode updates: named, and no excuse. */
static const char *named(uint32_t model, uint32_t stepping, uint32_t microcode)
{
    static struct cpu_identity cpu = SILICON;
    const struct test test = {.suite = "freeze", .name = "by_every_general_counter"};
    const struct finding finding = {.kind = FINDING_FREEZE_COUNTERS};
    size_t row;

    cpu.model = model;
    cpu.stepping = stepping;
    cpu.microcode = microcode;
    errata_select(&cpu);
    row = errata_find(&test, &finding);
    if (row == ERRATA_MAX)
        return "none";
    CHECK(!erratum_excuses(erratum_row(row)), "%s is an excuse", erratum_row(row)->id);
    return erratum_row(row)->id;
}

static void check_named_rows(void)
{
    static const struct {
        uint8_t model, stepping, fixed;
    } rows[] = {{0x5c, 2, 0x0e}, {0x5c, 9, 0x2e}, {0x5c, 10, 0x08},
                {0x5f, 1, 0x28}, {0x7a, 1, 0x28}, {0x7a, 8, 0x06}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_TEXT(named(rows[i].model, rows[i].stepping, rows[i].fixed - 1u), "goldmont-freeze");
        CHECK_TEXT(named(rows[i].model, rows[i].stepping, rows[i].fixed), "none");
        CHECK_TEXT(named(rows[i].model, 15, rows[i].fixed - 1u), "none");
    }
    CHECK_TEXT(named(0x86, 1, 0), "none");
    for (size_t i = 0; erratum_row(i); i++)
        CHECK(erratum_excuses(erratum_row(i)) || erratum_row(i)->microcode_fixed,
              "%s: named, and "
              "nothing mends it",
              erratum_row(i)->id);
}

/* Models of the same core, with a stepping that both have. */
static bool overlap(const struct erratum *a, const struct erratum *b)
{
    return a->cores & b->cores && a->steppings[0] <= b->steppings[1] &&
           b->steppings[0] <= a->steppings[1];
}

/* Every row is complete, applies to some processor, and is the only one for its erratum. */
static void check_table(void)
{
    const struct erratum *row;

    for (size_t i = 0; (row = erratum_row(i)) != NULL; i++) {
        CHECK(row->id && row->effect && row->source && row->id[0], "row %zu", i);
        CHECK(row->kinds != 0 && row->symptom, "%s", row->id);
        CHECK(row->steppings[0] <= row->steppings[1], "%s", row->id);
        CHECK((row->owner == ERRATUM_OF_SILICON) == (row->cores != 0), "%s", row->id);
        CHECK((row->owner == ERRATUM_OF_SILICON) == (row->tests == NULL), "%s", row->id);
        for (size_t j = 0; row->owner == ERRATUM_OF_SILICON && j < i; j++)
            CHECK(strcmp(erratum_row(j)->id, row->id) != 0 || !overlap(erratum_row(j), row),
                  "%s twice", row->id);
    }
}

int main(void)
{
    check_silicon();
    check_steppings();
    check_microcode();
    check_hypervisor();
    check_records();
    check_freeze();
    check_counters();
    check_pebs();
    check_the_test_itself();
    check_rate();
    check_names();
    check_certain();
    check_mended_row();
    check_named_rows();
    check_table();
    return check_result();
}
