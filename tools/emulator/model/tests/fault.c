// SPDX-License-Identifier: GPL-2.0-or-later
/* Faults: each breaks what it says where it can, nothing elsewhere; their names; how often. */
#include "faults/fault.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "machine.h"
#include "scenario.h"

#define BIT(scenario) (1u << SCENARIO_##scenario)

/* In which areas a processor that breaks a claim must be seen to: by the start of the claim's id.
 */
static const struct {
    const char *claim;
    unsigned scenarios;
} places[] = {
    {"DS-1", BIT(REGISTERS) | BIT(AREA)},
    {"DS-2", BIT(REGISTERS)},
    {"DS-3", BIT(REGISTERS)},
    {"CPL-1", BIT(REGISTERS)},
    {"DS-4", BIT(SMM)},
    {"DS-5", BIT(INIT)},
    {"DS-6", BIT(INIT)},
    {"DS-7", BIT(AREA)},
    {"DS-8", BIT(AREA)},
    {"T17-6.7", BIT(SELECTION) | BIT(THRESHOLD)},
    {"T17-6", BIT(SELECTION)},
    {"BTS-1", BIT(RECORDS)},
    {"BTS-2", BIT(RECORDS)},
    {"BTS-3", BIT(BUFFER)},
    {"BTS-4", BIT(THRESHOLD)},
    {"BTS-5", BIT(THRESHOLD)},
    {"BTS-6", BIT(BUFFER)},
    {"BTS-8", BIT(BUFFER)},
    {"ISR-2", BIT(OVERFLOW)},
    {"ISR-3", BIT(OVERFLOW) | BIT(PEBS)},
    {"AAJ91", BIT(OVERFLOW)},
    {"ISR-4", BIT(NEIGHBOURS)},
    {"ISR-5", BIT(RECORDS) | BIT(PEBS)},
    {"ISR-6", BIT(THRESHOLD)},
    {"SKL164", BIT(REGISTERS)},
    {"FRZ-14", BIT(SMM)},
    {"FRZ-10", BIT(FREEZE)},
    {"FRZ-11", BIT(FREEZE)},
    {"FRZ-12", BIT(FREEZE)},
    {"FRZ-13", BIT(FREEZE)},
    {"FRZ-1", BIT(REGISTERS) | BIT(FREEZE)},
    {"FRZ-", BIT(FREEZE) | BIT(ARCH_LBR)},
    {"LBR-", BIT(LBR) | BIT(ARCH_LBR) | BIT(INIT)},
    {"LER-1", BIT(LER) | BIT(ARCH_LBR)},
    {"ALBR-", BIT(ARCH_LBR)},
    {"BTF-1", BIT(STEP)},
    {"PEBS-", BIT(PEBS)},
    {"APEBS-", BIT(PEBS)},
    {"PM-", BIT(COUNTERS) | BIT(INIT)},
    {"MP-1", BIT(BUFFER) | BIT(REGISTERS) | BIT(ARCH_LBR) | BIT(COUNTERS)},
};

static unsigned place_of(const char *claims)
{
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (strncmp(claims, places[i].claim, strlen(places[i].claim)) == 0) {
            return places[i].scenarios;
        }
    }
    return 0;
}

static void turn_on(struct ds_fault_settings *settings, size_t row)
{
    memset(settings, 0, sizeof(*settings));
    CHECK(ds_fault_set(settings, ds_faults[row].name) == NULL);
}

static void check_on_profile(const struct ds_profile *profile, unsigned number)
{
    struct ds_fault_settings settings = {0};
    uint64_t usual[SCENARIO_COUNT], seen[SCENARIO_COUNT];

    scenario_run(profile, &settings, SCENARIO_ALL, usual);
    scenario_run(profile, &settings, SCENARIO_ALL, seen);
    CHECK_EQUAL(scenario_changes(seen, usual), 0);
    for (size_t row = 0; row < ds_fault_count; row++) {
        if (ds_faults[row].invented) {
            continue;
        }
        bool applies = ds_fault_applies(&ds_faults[row], profile);
        unsigned places = applies ? place_of(ds_faults[row].claims) : SCENARIO_ALL;
        turn_on(&settings, row);
        memcpy(seen, usual, sizeof(seen)); /* those that do not run */
        scenario_run(profile, &settings, places, seen);
        unsigned changed = scenario_changes(seen, usual);
        bool right = applies == (changed != 0);
        if (!right) {
            printf("    %s on profile %u changes 0x%x\n", ds_faults[row].name, number, changed);
        }
        CHECK(right);
    }
}

static void each_breaks_its_claim_where_it_applies(void)
{
    for (unsigned i = 0; i < SCENARIO_PROFILES; i++) {
        struct ds_profile profile = scenario_profile(i);
        check_on_profile(&profile, i);
    }
}

static void each_applies_somewhere(void)
{
    for (size_t row = 0; row < ds_fault_count; row++) {
        unsigned applicable = 0;
        for (unsigned i = 0; i < SCENARIO_PROFILES; i++) {
            struct ds_profile profile = scenario_profile(i);
            applicable += ds_fault_applies(&ds_faults[row], &profile);
        }
        CHECK(applicable > 0);
    }
}

static void none_applies_where_nothing_is(void)
{
    struct ds_profile nothing = {0};

    for (size_t row = 0; row < ds_fault_count; row++) {
        CHECK(!ds_fault_applies(&ds_faults[row], &nothing));
    }
}

static void names_are_told_apart(void)
{
    for (size_t i = 0; i < ds_fault_count; i++) {
        CHECK(strlen(ds_faults[i].help) > 10 && strlen(ds_faults[i].claims) > 0);
        for (size_t j = 0; j < i; j++) {
            CHECK(strcmp(ds_faults[i].name, ds_faults[j].name) != 0);
        }
    }
    CHECK(ds_fault_count >= 60);
}

static void text_round_trips(void)
{
    struct ds_fault_settings settings = {0};
    char text[200];

    ds_fault_get(&settings, text, sizeof(text));
    CHECK(strcmp(text, "") == 0);
    CHECK(ds_fault_set(&settings, "to-late,record-lost:1/5000+btf-dead:1/1") == NULL);
    CHECK(settings.some);
    CHECK_EQUAL(settings.period[FAULT_RECORD_LOST], 5000);
    CHECK_EQUAL(settings.period[FAULT_TO_LATE], 1);
    ds_fault_get(&settings, text, sizeof(text));
    CHECK(strcmp(text, "btf-dead+to-late+record-lost:1/5000") == 0);
    ds_fault_get(&settings, text, 8);
    CHECK(strcmp(text, "btf-dea") == 0);
    CHECK(ds_fault_set(&settings, "") == NULL);
    CHECK(!settings.some);
}

static void bad_text_is_refused(void)
{
    static const char *const bad[] = {
        "no-such",
        "record-lost:",
        "record-lost:1",
        "record-lost:1/",
        "record-lost:1/0",
        "record-lost:1/x",
        "record-lost:2/3",
        "record-lost:1/10000000000",
        "+record-lost",
        "record-lost+",
        "record",
        "record-lost:1/5:1/5",
        ",",
        "to-late,,to-late",
    };
    struct ds_fault_settings settings = {0};

    CHECK(ds_fault_set(&settings, "to-late:1/3") == NULL);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK(ds_fault_set(&settings, bad[i]) != NULL);
        CHECK_EQUAL(settings.period[FAULT_TO_LATE], 3);
    }
}

/* Of 5000 branches, how many are stored; first: the number of the first that is lost. */
static unsigned stored_of_5000(struct machine *machine, const char *faults, unsigned *first)
{
    unsigned stored = 0;

    machine_start(machine);
    CHECK(ds_fault_set(&machine->cpu.faults, faults) == NULL);
    machine_bts(machine, 100, 0, 200);
    machine_debugctl(machine, TR | BTS);
    *first = 0;
    for (unsigned i = 1; i <= 5000; i++) {
        machine_set_index(machine, machine_bts_address(machine));
        machine_branch(machine, i, 0, 0);
        stored += machine_index(machine) == 1;
        *first = *first == 0 && machine_index(machine) == 0 ? i : *first;
    }
    return stored;
}

static void rare_faults_are_rare_and_the_same_on_every_run(void)
{
    struct machine machine;
    unsigned first, again;
    unsigned stored = stored_of_5000(&machine, "record-lost:1/100", &first);

    CHECK(stored > 5000 - 100 && stored < 5000 - 25);
    CHECK_EQUAL(stored_of_5000(&machine, "record-lost:1/100", &again), stored);
    CHECK_EQUAL(again, first);
    CHECK_EQUAL(stored_of_5000(&machine, "record-lost", &first), 0);
    CHECK_EQUAL(stored_of_5000(&machine, "", &first), 5000);
}

static void reset_keeps_the_faults(void)
{
    struct machine machine;

    machine_start(&machine);
    CHECK(ds_fault_set(&machine.cpu.faults, "ds-area-missing") == NULL);
    ds_reset(&machine.cpu);
    machine_refuses_read(&machine, IA32_DS_AREA);
    ds_init(&machine.cpu);
    machine_refuses_read(&machine, IA32_DS_AREA);
}

const struct test fault_tests[] = {
    {"fault: each breaks its claim where it applies", each_breaks_its_claim_where_it_applies},
    {"fault: each applies somewhere", each_applies_somewhere},
    {"fault: none applies where nothing is", none_applies_where_nothing_is},
    {"fault: names are told apart", names_are_told_apart},
    {"fault: text round trips", text_round_trips},
    {"fault: bad text is refused", bad_text_is_refused},
    {"fault: rare ones are rare, and the same on every run",
     rare_faults_are_rare_and_the_same_on_every_run},
    {"fault: RESET keeps the faults", reset_keeps_the_faults},
    {0},
};
