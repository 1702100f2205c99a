/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: kernel/deviations.c kernel/selection.c arch/lib/glob.c arch/lib/printf.c */
/* Which processors a row is about, which failures it explains, and that the table makes sense. */
#include "kernel/deviations.h"

#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

#define SILICON                                                                                    \
    {                                                                                              \
        .vendor = "GenuineIntel", .family = 6, .model = 0x3c, .stepping = 3, .microcode = 0x20     \
    }

static const struct cpu_identity silicon = SILICON;

static const struct deviation haswell = {
    .owner = DEVIATION_OF_SILICON,
    .models = {0x3c, 0x45},
    .steppings = {2, 4},
    .microcode_fixed = 0x24,
};

static void check_processor(const char *what, struct cpu_identity cpu, bool expected)
{
    CHECK(deviation_applies(&haswell, &cpu) == expected, "%s", what);
}

static void check_silicon(void)
{
    struct cpu_identity cpu = SILICON;

    check_processor("as it is", cpu, true);
    cpu.model = 0x45;
    check_processor("the other model", cpu, true);
    cpu.model = 0x46;
    check_processor("another model", cpu, false);
    cpu.model = 0;
    check_processor("the end of the list", cpu, false);
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
    struct deviation never_fixed = haswell;

    cpu.microcode = 0x23;
    check_processor("the revision before the fix", cpu, true);
    cpu.microcode = 0x24;
    check_processor("the fix", cpu, false);
    never_fixed.microcode_fixed = 0;
    CHECK(deviation_applies(&never_fixed, &cpu), "without a fix");
    strcpy(cpu.hypervisor, "KVMKVMKVM");
    check_processor("a guest, whose revision tells nothing", cpu, true);
    strcpy(cpu.hypervisor, "TCGTCGTCGTCG");
    check_processor("an emulator", cpu, false);
}

static void check_hypervisor(void)
{
    static const struct deviation row = {.owner = DEVIATION_OF_HYPERVISOR, .hypervisor = "XYZ"};
    static const struct deviation any = {.owner = DEVIATION_OF_ANY};
    struct cpu_identity cpu = SILICON;

    CHECK(!deviation_applies(&row, &cpu), "bare metal");
    CHECK(deviation_applies(&any, &cpu), "any");
    strcpy(cpu.hypervisor, "XY");
    CHECK(!deviation_applies(&row, &cpu), "another hypervisor");
    strcpy(cpu.hypervisor, "XYZ");
    CHECK(deviation_applies(&row, &cpu), "its hypervisor");
}

static const char *found(const char *suite, const char *name, const char *subtest)
{
    const struct test test = {.suite = suite, .name = name};
    const struct deviation *row = deviation_find(&test, subtest);

    return row == NULL ? "none" : row->id;
}

static void check_search(void)
{
    struct cpu_identity cpu = SILICON;
    char text[256];

    deviations_select(NULL);
    CHECK_TEXT(found("selftest", "deliberate_deviation_fails", NULL), "none");
    CHECK_TEXT(deviations_format(text, sizeof(text)), "");
    deviations_select(&cpu);
    CHECK_TEXT(found("selftest", "deliberate_deviation_fails", NULL), "SELF1");
    CHECK_TEXT(found("selftest", "deliberate_deviation_fails", "any"), "SELF1");
    CHECK_TEXT(found("selftest", "deliberate_part_of_a_deviation", NULL), "none");
    CHECK_TEXT(found("selftest", "deliberate_part_of_a_deviation", "expected"), "SELF2");
    CHECK_TEXT(found("selftest", "deliberate_part_of_a_deviation", "other"), "none");
    CHECK_TEXT(found("freeze", "by_every_fixed_counter", "streamlined_lbr1_counters1_fixed0"),
               "none");
    CHECK(strstr(deviations_format(text, sizeof(text)), " HSD53") == text, "%s", text);
    CHECK(strstr(strstr(text, "HSD53") + 1, "HSD53") == NULL, "said twice: %s", text);
    CHECK(strstr(text, "SELF") == NULL && strstr(text, "KVM") == NULL, "%s", text);
    CHECK(strlen(deviations_format(text, 8)) < 8, "longer than its room");
    cpu.model = 0x5e;
    CHECK_TEXT(found("freeze", "by_every_fixed_counter", "streamlined_lbr1_counters1_fixed0"),
               "SKL186");
    CHECK_TEXT(found("freeze", "by_every_fixed_counter", "streamlined_lbr0_counters1_fixed0"),
               "SKL090");
    CHECK_TEXT(found("freeze", "by_every_fixed_counter", "streamlined_lbr0_counters0_fixed0"),
               "none");
    CHECK_TEXT(found("freeze", "by_every_fixed_counter", NULL), "none");
}

/* A row of the table that has a stepping and a revision that mends it. */
static void check_mended_row(void)
{
    struct cpu_identity cpu = SILICON;

    cpu.model = 0x2a;
    cpu.stepping = 7;
    cpu.microcode = 0x27;
    deviations_select(&cpu);
    CHECK_TEXT(found("pebs", "disabled_stores_nothing", NULL), "BJ106");
    cpu.microcode = 0x28;
    CHECK_TEXT(found("pebs", "disabled_stores_nothing", NULL), "none");
    cpu.microcode = 0x27;
    cpu.stepping = 6;
    CHECK_TEXT(found("pebs", "disabled_stores_nothing", NULL), "none");
    CHECK_TEXT(found("ler", "branches_leave_it_alone", NULL), "BJ18");
    CHECK_TEXT(found("ler", "software_interrupts", NULL), "BJ18");
    CHECK_TEXT(found("lbr", "wraps", NULL), "none");
}

static bool is_empty(const char *text)
{
    return text == NULL || text[0] == '\0';
}

static void check_table(void)
{
    const struct deviation *row;
    size_t i;

    for (i = 0; (row = deviation_row(i)) != NULL; i++) {
        CHECK(!is_empty(row->glob) && !is_empty(row->id) && !is_empty(row->effect) &&
                  !is_empty(row->source),
              "row %zu (%s) is not complete", i, row->id);
        CHECK(strchr(row->glob, '.') != NULL && row->glob[0] != '*', "row %zu masks too much: %s",
              i, row->glob);
        CHECK(row->owner != DEVIATION_OF_SILICON || row->models[0] != 0, "row %zu: no model", i);
        CHECK(row->owner != DEVIATION_OF_SILICON || row->steppings[0] <= row->steppings[1],
              "row %zu: steppings", i);
        CHECK((row->owner == DEVIATION_OF_HYPERVISOR) == (row->hypervisor != NULL),
              "row %zu: hypervisor", i);
        CHECK(strchr(row->id, ' ') == NULL && strchr(row->id, '#') == NULL, "row %zu: id", i);
    }
    CHECK(i >= 40, "%zu rows", i);
}

int main(void)
{
    check_silicon();
    check_steppings();
    check_microcode();
    check_hypervisor();
    check_search();
    check_mended_row();
    check_table();
    return check_result();
}
