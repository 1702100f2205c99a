// SPDX-License-Identifier: GPL-2.0-or-later
/* When PEBS makes records: arming, reload, threshold, full buffer, several counters. */
#include "check.h"
#include "machine.h"

#define SIZE 200 /* a record of format 3 */

static struct machine machine;

static void buffer(unsigned records, unsigned threshold)
{
    machine_write(&machine, IA32_DS_AREA, AREA_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x20, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + records * SIZE);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, PEBS_ADDRESS + threshold * SIZE);
}

static void sample(unsigned i, uint64_t event, unsigned period, unsigned reload)
{
    machine_poke(&machine, AREA_ADDRESS + 0x40 + 8 * i, 8, 0ull - reload);
    machine_write(&machine, IA32_A_PMC0 + i, (1ull << 48) - period);
    machine_write(&machine, IA32_PERFEVTSEL0 + i, COUNT | event);
}

static void start(unsigned records, unsigned threshold)
{
    machine_start(&machine);
    buffer(records, threshold);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
}

static unsigned stored(void)
{
    return (unsigned)(machine_peek(&machine, AREA_ADDRESS + 0x28, 8) - PEBS_ADDRESS) / SIZE;
}

static uint64_t status(void)
{
    return machine_msr(&machine, IA32_PERF_GLOBAL_STATUS);
}

static void the_event_after_the_wrap_makes_the_record(void)
{
    start(8, 9);
    sample(0, INSTRUCTIONS, 4, 10);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 4);
    CHECK_EQUAL(stored(), 0);
    CHECK_EQUAL(status(), 1);
    CHECK_EQUAL(machine.pmis, 0);
    machine_run(&machine, 1);
    CHECK_EQUAL(stored(), 1);
    CHECK_EQUAL(status(), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), (1ull << 48) - 10);
    machine_run(&machine, 10);
    CHECK_EQUAL(stored(), 1);
    machine_run(&machine, 1);
    CHECK_EQUAL(stored(), 2);
    CHECK_EQUAL(machine.pmis, 0);
}

static void only_its_own_event_makes_the_record(void)
{
    start(8, 9);
    sample(2, PRECISE_BRANCHES, 1, 1000);
    machine_write(&machine, IA32_PEBS_ENABLE, 4);
    machine_run_branch(&machine, 1, true);
    machine_run(&machine, 5);
    CHECK_EQUAL(stored(), 0);
    machine_run_branch(&machine, 1, false);
    CHECK_EQUAL(stored(), 1);
}

static void threshold_interrupts(void)
{
    start(8, 3);
    sample(0, INSTRUCTIONS, 1, 1);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 5);
    CHECK_EQUAL(stored(), 2);
    CHECK_EQUAL(machine.pmis, 0);
    machine_run(&machine, 1);
    CHECK_EQUAL(stored(), 3);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(status(), OVFBUF);
}

static void full_buffer_takes_and_signals_nothing(void)
{
    start(3, 4);
    sample(0, INSTRUCTIONS, 1, 1);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 40);
    CHECK_EQUAL(stored(), 3);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK_EQUAL(status() & OVFBUF, 0);
    CHECK_EQUAL(machine_peek(&machine, PEBS_ADDRESS + 3 * SIZE, 8), 0xa5a5a5a5a5a5a5a5);
    buffer(3, 4);
    machine_run(&machine, 2);
    CHECK_EQUAL(stored(), 1);
}

static void a_record_is_whole_or_not_at_all(void)
{
    start(2, 4);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + 2 * SIZE - 1);
    sample(0, INSTRUCTIONS, 1, 1);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 40);
    CHECK_EQUAL(stored(), 1);
    CHECK_EQUAL(machine_peek(&machine, PEBS_ADDRESS + SIZE, 8), 0xa5a5a5a5a5a5a5a5);
}

static void several_counters_at_once(void)
{
    start(8, 9);
    sample(0, INSTRUCTIONS, 2, 100);
    sample(1, INSTRUCTIONS, 2, 200);
    sample(3, INSTRUCTIONS, 4, 300);
    machine_write(&machine, IA32_PEBS_ENABLE, 0xb);
    machine_run(&machine, 3);
    CHECK_EQUAL(stored(), 1);
    CHECK_EQUAL(machine_peek(&machine, PEBS_ADDRESS + 0x90, 8), 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), (1ull << 48) - 100);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 1), (1ull << 48) - 200);
    machine_run(&machine, 2);
    CHECK_EQUAL(stored(), 2);
    CHECK_EQUAL(machine_peek(&machine, PEBS_ADDRESS + SIZE + 0x90, 8), 8);
}

static void a_counter_without_pebs_is_untouched(void)
{
    start(8, 9);
    sample(0, INSTRUCTIONS, 2, 100);
    sample(1, INSTRUCTIONS, 2, 100);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, COUNT_INT | INSTRUCTIONS);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 1), 1);
    CHECK_EQUAL(status(), 2);
    CHECK_EQUAL(machine.pmis, 1);
}

/* Runs a counter of cycles, which is no precise event, under PEBS; returns the records. */
static unsigned imprecise_records(unsigned model, unsigned version, uint64_t capabilities)
{
    machine_start_model(&machine, model, version, capabilities);
    buffer(8, 9);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    sample(0, CYCLES, 1, 1000);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 2);
    return (unsigned)(machine_peek(&machine, AREA_ADDRESS + 0x28, 8) - PEBS_ADDRESS);
}

static void events_that_are_not_precise(void)
{
    CHECK_EQUAL(imprecise_records(0x5e, 4, 0x33c5), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 1);
    CHECK_EQUAL(imprecise_records(0x5f, 4, 0x33c6), SIZE);
    CHECK_EQUAL(imprecise_records(0x6a, 5, 0x74c5), 32);
}

static void fixed_1_reloads_from(uint64_t capabilities, unsigned offset)
{
    machine_start_model(&machine, 0x6a, 5, capabilities);
    buffer(8, 9);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
    machine_poke(&machine, AREA_ADDRESS + offset, 8, 0ull - 77);
    machine_write(&machine, IA32_FIXED_CTR0 + 1, 0xffffffffffff);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x30);
    machine_write(&machine, IA32_PEBS_ENABLE, FIXED(1));
    machine_run(&machine, 2);
    CHECK_EQUAL(machine_peek(&machine, PEBS_ADDRESS + 0x10, 8), FIXED(1));
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 1), (1ull << 48) - 77);
}

static void fixed_counters_with_baseline(void)
{
    fixed_1_reloads_from(0x74c5, 0x88);
    fixed_1_reloads_from(0x75c5, 0x148);
    fixed_1_reloads_from(0x76c5, 0x148);
}

static void index_outside_on_goldmont(void)
{
    machine_start_model(&machine, 0x5f, 4, 0x33c6);
    buffer(8, 3);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS - SIZE);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    sample(0, INSTRUCTIONS, 1, 1000);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 2);
    CHECK_EQUAL(status(), OVFBUF);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 1);
    CHECK_EQUAL(machine_peek(&machine, PEBS_ADDRESS - SIZE, 8), 0xa5a5a5a5a5a5a5a5);
}

static void enable_bits_by_family(void)
{
    static const struct {
        uint8_t model, version;
        uint64_t capabilities, bits;
    } families[] = {
        {0x17, 2, 0x10c2, 1},
        {0x1a, 3, 0x31c3, 0xf0000000f},
        {0x2a, 3, 0x31c3, 0x8000000f0000000f},
        {0x5e, 4, 0x33c5, 0xf0000000f},
        {0x5f, 4, 0x33c6, 0xf},
        {0x7a, 4, 0x33c7, 0x70000000f},
        {0x86, 5, 0x74c7, 0x7000000ff},
        {0x6a, 5, 0x74c5, 0x7000000ff},
        {0x9c, 5, 0x174c7, 0x70000007000000ff},
    };

    for (unsigned i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        machine_start_model(&machine, families[i].model, families[i].version,
                            families[i].capabilities);
        for (unsigned bit = 0; bit < 64; bit++) {
            CHECK_EQUAL(ds_msr_write(&machine.cpu, &machine.host, IA32_PEBS_ENABLE, 1ull << bit),
                        families[i].bits >> bit & 1 ? DS_MSR_DONE : DS_MSR_FAULT);
        }
    }
}

/* Where Intel PT can take the records they never reach the area, and registers tell what to start
 * from (F22.24). There is no trace here that would show them. */
static void records_go_to_the_trace(void)
{
    for (unsigned i = 0; i < 2; i++) {
        machine_start_model(&machine, 0x9c, 5, 0x174c7);
        buffer(8, 9);
        sample(0, INSTRUCTIONS, 3, 7);
        machine_write(&machine, 0x14c1, 0xffffffffff00);
        machine_write(&machine, 0x1309, 5);
        machine_refuses(&machine, 0x14c1, 1ull << 48);
        machine_refuses_read(&machine, 0x14c9);
        machine_refuses_read(&machine, 0x130c);
        machine_write(&machine, IA32_PEBS_ENABLE, (2ull + i) << 60 | 1);
        machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
        machine_run(&machine, 4);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0xffffffffff00);
        CHECK_EQUAL(machine_peek(&machine, PEBS_ADDRESS, 8), 0xa5a5a5a5a5a5a5a5);
        CHECK_EQUAL(machine.pmis, i);
    }
    machine_start_model(&machine, 0x86, 5, 0x74c7);
    machine_refuses_read(&machine, 0x14c1);
}

static void unavailable(void)
{
    machine_start(&machine);
    machine.cpu.profile.pebs_unavailable = true;
    machine_refuses(&machine, IA32_PEBS_ENABLE, 0);
    machine_refuses_read(&machine, IA32_PEBS_ENABLE);
    machine_refuses_read(&machine, MSR_PEBS_DATA_CFG);
}

static void registers_of_its_events_by_family(void)
{
    static const uint32_t registers[] = {0x1a6, 0x1a7, 0x3f6,
                                         0x3f7}; /* off-core, latency, front end */
    static const uint64_t reserved[] = {1ull << 38, 1ull << 38, 1u << 16, 1u << 23};
    static const struct {
        uint8_t model;
        bool has[4];
    } families[] = {{0x17, {false, false, false, false}},
                    {0x1a, {true, true, true, false}},
                    {0x5f, {true, true, false, false}},
                    {0x5e, {true, true, true, true}}};

    for (unsigned i = 0; i < 4; i++) {
        machine_start_model(&machine, families[i].model, 4, 0x33c5);
        for (unsigned j = 0; j < 4; j++) {
            if (families[i].has[j]) {
                machine_write(&machine, registers[j], 0x1234 + j);
                machine_refuses(&machine, registers[j], reserved[j]);
                CHECK_EQUAL(machine_msr(&machine, registers[j]), 0x1234 + j);
            } else {
                machine_refuses(&machine, registers[j], 0);
                machine_refuses_read(&machine, registers[j]);
            }
        }
    }
}

static void latency_bits_that_are_ignored(void)
{
    machine_start(&machine);
    machine_refuses(&machine, 0x3f6, 0x10003);
    machine.cpu.profile.latency_bits_ignored = true;
    machine_write(&machine, 0x3f6, 0xffffffff00010003);
    CHECK_EQUAL(machine_msr(&machine, 0x3f6), 3);
}

static void memory_that_is_not_there(void)
{
    start(8, 1);
    sample(0, INSTRUCTIONS, 1, 50);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine.hole_start = PEBS_ADDRESS + SIZE - 1, machine.hole_end = PEBS_ADDRESS + SIZE;
    machine_run(&machine, 2);
    CHECK_EQUAL(stored(), 0);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), (1ull << 48) - 50);
    machine.hole_start = AREA_ADDRESS + 0x40, machine.hole_end = AREA_ADDRESS + 0x41;
    machine_run(&machine, 51);
    CHECK_EQUAL(stored(), 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 1);
    machine.hole_start = AREA_ADDRESS, machine.hole_end = AREA_ADDRESS + 0x40;
    machine_write(&machine, IA32_PMC0, ~0ull);
    machine_run(&machine, 2);
    CHECK_EQUAL(stored(), 1);
}

/* The overflow at the second instruction, two more pass, the next one makes the record. */
static void armed_after_the_delay(void)
{
    start(8, 9);
    machine.cpu.variation.pebs_skid = 2;
    sample(0, INSTRUCTIONS, 2, 100);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 4);
    CHECK_EQUAL(stored(), 0);
    machine_run(&machine, 1);
    CHECK_EQUAL(stored(), 1);
    sample(0, INSTRUCTIONS, 2, 100);
    machine_run(&machine, 3);
    machine_write(&machine, IA32_PEBS_ENABLE, 0); /* before it was armed */
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 9);
    CHECK_EQUAL(stored(), 1);
}

static void taken_out_while_armed(void)
{
    start(8, 9);
    sample(0, INSTRUCTIONS, 2, 100);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 2);
    machine_write(&machine, IA32_PEBS_ENABLE, 0);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 9);
    CHECK_EQUAL(stored(), 0);
}

static void nothing_is_stored_in_smm(void)
{
    start(8, 9);
    sample(0, INSTRUCTIONS, 2, 100);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    ds_smm_enter(&machine.cpu);
    machine_run(&machine, 9);
    CHECK_EQUAL(stored(), 0);
    ds_smm_leave(&machine.cpu);
    machine_run(&machine, 1);
    CHECK_EQUAL(stored(), 1);
}

static void stopped_by_init_and_machine_check(void)
{
    start(8, 9);
    sample(0, INSTRUCTIONS, 2, 100);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_run(&machine, 2);
    ds_machine_check(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_PEBS_ENABLE), 0);
    machine_run(&machine, 9);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    ds_init(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_PEBS_ENABLE), 0);
    CHECK_EQUAL(stored(), 0);
}

/* A buffer of so many bytes, not at a page's start; whether a write to GLOBAL_CTRL ends. */
static bool ends(unsigned bytes)
{
    machine_write(&machine, IA32_DS_AREA, AREA_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x20, 8, PEBS_ADDRESS + 0x100);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS + 0x100);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + 0x100 + bytes);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, ~0ull);
    unsigned before = machine.hangs;

    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    return machine.hangs == before;
}

static void a_buffer_across_a_page_stops_some_for_ever(void)
{
    machine_start_model(&machine, 0x17, 2, 0x10c2);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    CHECK(ends(0xf00) && ends(0xf01));
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), 1);
    machine.cpu.profile.pebs_page_hang = true;
    CHECK(ends(0xf00) && !ends(0xf01) && !ends(0x2000));
    machine_write(&machine, IA32_PEBS_ENABLE, 0);
    CHECK(ends(0xf01));
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 0);
    CHECK_EQUAL(machine.hangs, 2);
    CHECK(!ends(0xf01));
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), 1);
}

const struct test pebs_tests[] = {
    {"pebs: the event after the wrap makes the record", the_event_after_the_wrap_makes_the_record},
    {"pebs: only its own event makes the record", only_its_own_event_makes_the_record},
    {"pebs: the threshold interrupts", threshold_interrupts},
    {"pebs: a full buffer takes and signals nothing", full_buffer_takes_and_signals_nothing},
    {"pebs: a record is whole or not at all", a_record_is_whole_or_not_at_all},
    {"pebs: several counters at once", several_counters_at_once},
    {"pebs: a counter without PEBS is untouched", a_counter_without_pebs_is_untouched},
    {"pebs: events that are not precise", events_that_are_not_precise},
    {"pebs: fixed counters with baseline", fixed_counters_with_baseline},
    {"pebs: index outside the buffer on Goldmont", index_outside_on_goldmont},
    {"pebs: enable bits by family", enable_bits_by_family},
    {"pebs: records go to the trace", records_go_to_the_trace},
    {"pebs: unavailable", unavailable},
    {"pebs: registers of its events by family", registers_of_its_events_by_family},
    {"pebs: latency bits that are ignored", latency_bits_that_are_ignored},
    {"pebs: memory that is not there", memory_that_is_not_there},
    {"pebs: armed after the delay", armed_after_the_delay},
    {"pebs: taken out while armed", taken_out_while_armed},
    {"pebs: nothing is stored in SMM", nothing_is_stored_in_smm},
    {"pebs: stopped by INIT and machine check", stopped_by_init_and_machine_check},
    {"pebs: a buffer across a page stops some for ever",
     a_buffer_across_a_page_stops_some_for_ever},
    {0},
};
