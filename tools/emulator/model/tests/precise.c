// SPDX-License-Identifier: GPL-2.0-or-later
/* Which events make PEBS records on which family, and on which counters. */
#include "check.h"
#include "machine.h"

#define EVERY 0xfu /* counters 0 to 3 */
#define NONE  0u

static struct machine machine;

/* The families by one model each: version, IA32_PERF_CAPABILITIES, PEBS counters. */
static const struct {
    const char *name;
    uint8_t model, version;
    uint16_t perf_capabilities;
    uint8_t counters;
} families[] = {
    {"Core 2", 0x17, 2, 0x10c2, 1},         {"Atom", 0x1c, 3, 0x00c1, 1},
    {"Nehalem", 0x1a, 3, 0x31c3, EVERY},    {"Westmere", 0x25, 3, 0x31c3, EVERY},
    {"Ivy Bridge", 0x3a, 3, 0x31c3, EVERY}, {"Haswell", 0x3c, 3, 0x32c4, EVERY},
    {"Skylake", 0x5e, 4, 0x33c5, EVERY},
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

/* Umask and event; the counters that sample it, by family as above. */
static const struct {
    uint16_t code;
    uint8_t counters[FAMILIES];
} events[] = {
    {0x00c0, {1, 1, EVERY, EVERY, NONE, NONE, EVERY}},        /* INST_RETIRED.ANY_P */
    {0x01c0, {NONE, NONE, EVERY, EVERY, 2, 2, 2}},            /* INST_RETIRED.PREC_DIST */
    {0x01c2, {NONE, NONE, EVERY, EVERY, EVERY, EVERY, NONE}}, /* UOPS_RETIRED.ALL */
    {0x00c4, {NONE, NONE, EVERY, EVERY, NONE, NONE, NONE}},
    {0x04c4, {NONE, NONE, EVERY, EVERY, EVERY, EVERY, EVERY}},
    {0x00c5, {1, 1, NONE, NONE, NONE, NONE, NONE}},
    {0x04c5, {NONE, NONE, NONE, EVERY, EVERY, EVERY, EVERY}},
    {0x003c, {NONE}},
    {0x013c, {NONE}},
    {0x412e, {NONE}},
    {0x4f2e, {NONE}},
};

static void start(unsigned family)
{
    machine_start_model(&machine, families[family].model, families[family].version,
                        families[family].perf_capabilities);
    machine_write(&machine, IA32_DS_AREA, AREA_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x20, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + 0x400);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, ~0ull);
    for (unsigned i = 0; i < 4; i++) {
        machine_poke(&machine, AREA_ADDRESS + 0x40 + 8 * i, 8, 0ull - 1000);
    }
}

/* Samples each event on this counter; whether that made a record. Every branch is mispredicted. */
static bool samples(unsigned family, unsigned counter, uint64_t select)
{
    start(family);
    machine_write(&machine, IA32_PMC0 + counter, 0xffffffff);
    machine_write(&machine, IA32_PERFEVTSEL0 + counter, COUNT | select);
    machine_write(&machine, IA32_PEBS_ENABLE, 1u << counter);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1u << counter);
    for (unsigned i = 1; i < 9; i++) {
        machine_run_branch(&machine, i, true);
    }
    return machine_peek(&machine, AREA_ADDRESS + 0x28, 8) != PEBS_ADDRESS;
}

static void lists_by_family(void)
{
    for (unsigned family = 0; family < FAMILIES; family++) {
        for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
            uint64_t expected = events[i].counters[family], got = 0;
            for (unsigned counter = 0; counter < 4; counter++) {
                if (families[family].counters >> counter & 1) {
                    got |= (uint64_t)samples(family, counter, events[i].code) << counter;
                }
            }
            CHECK_EQUAL((uint64_t)family << 32 | events[i].code << 8 | got,
                        (uint64_t)family << 32 | events[i].code << 8 | expected);
        }
    }
}

/* What Linux samples for cycles:pp, and for cycles:ppp: fewer than 16 in a cycle (F13.17, F13.37).
 */
static void cycles_as_linux_samples_them(void)
{
    static const uint32_t every_cycle = 1u << 23 | 16u << 24;
    static const uint16_t precise[] = {0xc0, 0xc0, 0xc0, 0xc0, 0x1c2, 0x1c2, 0xc0};

    for (unsigned family = 0; family < FAMILIES; family++) {
        CHECK(samples(family, 0, every_cycle | precise[family]));
        if (families[family].model >= 0x3a) {
            CHECK(samples(family, 1, every_cycle | 0x1c0));
        }
    }
}

/* One micro-operation an instruction; a model-specific event counts where the family has it. */
static void a_model_specific_event_counts_where_it_exists(void)
{
    for (unsigned family = 0; family < FAMILIES; family++) {
        for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
            bool specific = events[i].code == 0x1c0 || events[i].code == 0x1c2 ||
                            events[i].code == 0x4c4 || events[i].code == 0x4c5;
            if (!specific) {
                continue;
            }
            start(family);
            machine_write(&machine, IA32_PERFEVTSEL0, COUNT | events[i].code);
            machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
            for (unsigned j = 1; j < 6; j++) {
                machine_run_branch(&machine, j, true);
            }
            CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), events[i].counters[family] ? 5 : 0);
        }
    }
}

const struct test precise_tests[] = {
    {"precise: lists by family", lists_by_family},
    {"precise: cycles as Linux samples them", cycles_as_linux_samples_them},
    {"precise: a model-specific event counts where it exists",
     a_model_specific_event_counts_where_it_exists},
    {0},
};
