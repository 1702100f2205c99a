// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata: each happens, as often as it is to, on its own models and on no other; their names. */
#include "errata.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "../errata.h"

#define OCCASIONS 400

struct machine errata_machine;

static const struct exhibit *const rooms[] = {state_exhibits, branch_exhibits, counter_exhibits,
                                              pebs_exhibits};

#define ROOMS (sizeof(rooms) / sizeof(rooms[0]))

void errata_restart(void)
{
    ds_reset(&errata_machine.cpu);
    ds_set_long_mode(&errata_machine.cpu, true);
}

void errata_run(unsigned offset, unsigned bytes, uint8_t cpl)
{
    struct ds_instruction instruction = {
        .ip = MEMORY_BASE + offset, .next = MEMORY_BASE + offset + 3, .cpl = cpl};

    machine_poke(&errata_machine, instruction.ip, 4, bytes);
    ds_instruction(&errata_machine.cpu, &errata_machine.host, &instruction);
}

uint64_t errata_moves(uint32_t msr, unsigned offset, unsigned bytes, uint8_t cpl)
{
    uint64_t before = machine_msr(&errata_machine, msr);

    errata_run(offset, bytes, cpl);
    return machine_msr(&errata_machine, msr) - before;
}

/* The exhibit's processor, with these errata, which it can show. */
static void start(const struct exhibit *exhibit, const char *errata)
{
    machine_start_model(&errata_machine, exhibit->model, exhibit->version,
                        exhibit->perf_capabilities);
    CHECK(ds_errata_set(&errata_machine.cpu.errata, errata) == NULL);
    CHECK(ds_errata_settle(&errata_machine.cpu) == NULL);
    errata_restart();
    exhibit->prepare();
}

static unsigned happened(const struct exhibit *exhibit, const char *errata)
{
    unsigned times = 0;

    start(exhibit, errata);
    for (unsigned i = 0; i < OCCASIONS; i++) {
        times += exhibit->occasion();
    }
    return times;
}

static void check_exhibit(const struct exhibit *exhibit, bool state)
{
    char rare[64];

    snprintf(rare, sizeof(rare), "%s:1/4", exhibit->name);
    unsigned healthy = happened(exhibit, ""), sometimes = happened(exhibit, rare);

    snprintf(rare, sizeof(rare), "%s:1/1", exhibit->name);
    unsigned always = happened(exhibit, rare);

    bool right = healthy == 0 && always == OCCASIONS &&
                 (state ? sometimes == always : sometimes >= 60 && sometimes <= 140);

    if (!right) {
        printf("    %s: %u times healthy, %u rarely, %u always, of %d\n", exhibit->name, healthy,
               sometimes, always, OCCASIONS);
    }
    CHECK(right);
}

static void each_happens_as_often_as_it_is_to(void)
{
    for (size_t room = 0; room < ROOMS; room++) {
        for (const struct exhibit *exhibit = rooms[room]; exhibit->name; exhibit++) {
            check_exhibit(exhibit, rooms[room] == state_exhibits);
        }
    }
}

static size_t row_of(const char *name)
{
    size_t row = 0;

    while (row < ds_errata_count && strcmp(ds_errata[row].name, name) != 0) {
        row++;
    }
    CHECK(row < ds_errata_count);
    return row;
}

/* Of every symptom: an exhibit, or a test of its own below. */
static void each_symptom_is_shown(void)
{
    bool shown[FAULT_COUNT] = {[FAULT_PREDICTED_MEANINGLESS] = true};

    for (size_t room = 0; room < ROOMS; room++) {
        for (const struct exhibit *exhibit = rooms[room]; exhibit->name; exhibit++) {
            shown[ds_errata[row_of(exhibit->name)].effect] = true;
        }
    }
    for (size_t i = 0; i < FAULT_COUNT; i++) {
        CHECK(shown[i] || ds_faults[i].kind != DS_SYMPTOM);
    }
}

static bool has(const char *name, unsigned model, unsigned stepping, unsigned revision)
{
    struct ds_profile profile;

    machine_start_model(&errata_machine, model, 4, 0x33c5);
    profile = errata_machine.cpu.profile;
    profile.stepping = (uint8_t)stepping;
    profile.microcode = revision;
    return ds_erratum_applies(&ds_errata[row_of(name)], &profile);
}

static bool has_bj106(unsigned model, unsigned stepping, unsigned revision)
{
    return has("BJ106", model, stepping, revision);
}

static void microcode_mends_some(void)
{
    CHECK(has_bj106(0x2a, 7, 0) && has_bj106(0x2a, 7, 0x27));
    CHECK(!has_bj106(0x2a, 7, 0x28) && !has_bj106(0x2a, 7, 0x618));
    CHECK(has_bj106(0x2a, 5, 0x28));
    CHECK(has_bj106(0x2d, 6, 0x617) && !has_bj106(0x2d, 6, 0x618));
    CHECK(has_bj106(0x2d, 7, 0x70b) && !has_bj106(0x2d, 7, 0x70c));
    CHECK(!has_bj106(0x3a, 7, 0));
}

static void microcode_mends_the_freeze_of_goldmont(void)
{
    static const struct {
        uint8_t model, stepping, revision;
    } mended[] = {{0x5c, 2, 0x0e}, {0x5c, 9, 0x2e}, {0x5c, 10, 0x08},
                  {0x5f, 1, 0x28}, {0x7a, 1, 0x28}, {0x7a, 8, 0x06}};

    for (size_t i = 0; i < sizeof(mended) / sizeof(mended[0]); i++) {
        unsigned model = mended[i].model, stepping = mended[i].stepping;

        CHECK(has("goldmont-freeze", model, stepping, mended[i].revision - 1u));
        CHECK(!has("goldmont-freeze", model, stepping, mended[i].revision));
    }
    CHECK(has("goldmont-freeze", 0x5c, 3, 0xff)); /* nobody says when */
    CHECK(!has("goldmont-freeze", 0x86, 1, 0));
}

/* As often set as clear. */
static void predicted_flag_is_meaningless(void)
{
    unsigned set = 0;

    machine_start_model(&errata_machine, 0x5e, 4, 0x33c5);
    CHECK(ds_errata_set(&errata_machine.cpu.errata, "SKL088") == NULL);
    CHECK(ds_errata_settle(&errata_machine.cpu) == NULL);
    machine_bts(&errata_machine, 16, 0, 20);
    machine_debugctl(&errata_machine, TR | BTS);
    for (unsigned i = 0; i < OCCASIONS; i++) {
        machine_set_index(&errata_machine, machine_bts_address(&errata_machine));
        machine_branch(&errata_machine, 1, 0, 0);
        set += machine_record(&errata_machine, 0).flags == 1u << 4;
    }
    CHECK(set > OCCASIONS / 3 && set < OCCASIONS / 3 * 2);
}

static struct ds_cpu *with(uint8_t model, const char *errata)
{
    machine_start_model(&errata_machine, model, 4, 0x33c5);
    CHECK(ds_errata_set(&errata_machine.cpu.errata, errata) == NULL);
    return &errata_machine.cpu;
}

/* 'own' is what applies, and nothing else; an erratum by name is refused where it does not. */
static void each_is_of_its_models(void)
{
    for (unsigned model = 0; model < 256; model++) {
        unsigned applicable = 0;
        for (size_t row = 0; row < ds_errata_count; row++) {
            struct ds_cpu *cpu = with((uint8_t)model, ds_errata[row].name);
            bool applies = ds_erratum_applies(&ds_errata[row], &cpu->profile);
            const char *refused = ds_errata_settle(cpu);
            CHECK(applies ? refused == NULL : refused == ds_errata[row].name);
            CHECK_EQUAL(cpu->faults.some, applies);
            applicable += applies;
        }
        struct ds_cpu *cpu = with((uint8_t)model, "own");
        CHECK(ds_errata_settle(cpu) == NULL);
        CHECK_EQUAL(cpu->faults.some, applicable > 0);
    }
}

static void another_family_has_none(void)
{
    struct ds_cpu *cpu = with(0x3c, "own");

    cpu->profile.family = 15;
    CHECK(ds_errata_settle(cpu) == NULL);
    CHECK(!cpu->faults.some);
}

static void those_like_a_fault_are_that_fault(void)
{
    struct ds_cpu *cpu = with(0x0f, "AR62+W126:1/9");

    CHECK(ds_fault_set(&cpu->faults, "to-late+pebs-ring-ignored:1/3") == NULL);
    CHECK(ds_errata_settle(cpu) == NULL);
    CHECK_EQUAL(cpu->faults.period[FAULT_FROM_CROSSING_STALE], ds_errata[row_of("AR62")].period);
    CHECK_EQUAL(cpu->faults.period[FAULT_PEBS_RING_IGNORED], 3);
    CHECK_EQUAL(cpu->faults.period[FAULT_TO_LATE], 1);
    ds_reset(cpu);
    CHECK_EQUAL(cpu->errata.asked[row_of("AR63")], 9);
}

static void own_goes_with_a_chance_of_ones_own(void)
{
    struct ds_cpu *cpu = with(0x3c, "own,HSM54:1/7");

    CHECK(ds_errata_settle(cpu) == NULL);
    CHECK_EQUAL(cpu->faults.period[FAULT_FROM_REPEATED], 7);
    CHECK_EQUAL(cpu->faults.period[FAULT_LER_CHANGES], ds_errata[row_of("HSD4")].period);
}

static void names_are_told_apart(void)
{
    for (size_t i = 0; i < ds_errata_count; i++) {
        CHECK(ds_errata[i].period > 0 && ds_errata[i].models[0] != 0);
        CHECK(strlen(ds_faults[ds_errata[i].effect].help) > 10);
        for (size_t j = 0; j < i; j++) {
            CHECK(strcmp(ds_errata[i].name, ds_errata[j].name) != 0);
            CHECK(strstr(ds_errata[i].further, ds_errata[j].name) == NULL ||
                  strlen(ds_errata[j].name) < 4);
        }
    }
    CHECK(ds_errata_count >= 90);
}

static void bad_text_is_refused(void)
{
    static const char *const bad[] = {
        "no-such", "HSD", "HSD53:",      "HSD53:1/0", "HSD53:2/3", "own:1/2",    "HSD53+",
        "+HSD53",  ",",   "HSD53 HSM54", "OWN",       "hsd53",     "HSD53,,own", "HSD53:1/1/1"};
    struct ds_errata_settings settings = {0};

    CHECK(ds_errata_set(&settings, "HSD53:1/3") == NULL);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK(ds_errata_set(&settings, bad[i]) != NULL);
        CHECK_EQUAL(settings.asked[row_of("HSD53")], 3);
    }
    CHECK(ds_errata_set(&settings, "") == NULL);
    CHECK_EQUAL(settings.asked[row_of("HSD53")], 0);
}

const struct test errata_tests[] = {
    {"errata: each happens as often as it is to", each_happens_as_often_as_it_is_to},
    {"errata: each symptom is shown", each_symptom_is_shown},
    {"errata: the predicted flag is meaningless", predicted_flag_is_meaningless},
    {"errata: each is of its models", each_is_of_its_models},
    {"errata: microcode mends some", microcode_mends_some},
    {"errata: microcode mends the freeze of Goldmont", microcode_mends_the_freeze_of_goldmont},
    {"errata: another family has none", another_family_has_none},
    {"errata: those like a fault are that fault", those_like_a_fault_are_that_fault},
    {"errata: 'own' goes with a chance of one's own", own_goes_with_a_chance_of_ones_own},
    {"errata: names are told apart", names_are_told_apart},
    {"errata: bad text is refused", bad_text_is_refused},
    {0},
};
