// SPDX-License-Identifier: GPL-2.0-or-later
/* Faults: where each applies, their names, how often. What each breaks, tools/matrix shows. */
#include "faults/fault.h"

#include <string.h>

#include "check.h"
#include "machine.h"
#include "processors.h"

static void each_applies_somewhere(void)
{
    for (size_t row = 0; row < ds_fault_count; row++) {
        unsigned applicable = 0;
        for (unsigned i = 0; i < PROCESSORS; i++) {
            struct ds_profile profile = processor(i);
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
        CHECK(strlen(ds_faults[i].help) > 10);
        CHECK((strlen(ds_faults[i].claims) > 0) == (ds_faults[i].kind != DS_SYMPTOM));
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
