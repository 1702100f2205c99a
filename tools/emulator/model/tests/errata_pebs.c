// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata of PEBS, on occasion. */
#include "errata.h"

#define PERIOD(n) ((1ull << 48) - (n))

/* Fields of a record. */
#define STATUS_FIELD   0x90
#define EVENTING_FIELD 0xb0
#define NEXT_FIELD     8

#define PRECISE_INSTRUCTIONS 0x01c0u

#define NOP    0x90
#define STI    0xfb
#define MOV_SS 0xd08e /* MOV SS, EAX */
#define MOV_ES 0xc08e

#define machine errata_machine

static void empty_buffer(void)
{
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS);
    machine.pmis = 0;
}

static unsigned bytes_stored(void)
{
    return (unsigned)(machine_peek(&machine, AREA_ADDRESS + 0x28, 8) - PEBS_ADDRESS);
}

static uint64_t field(unsigned offset)
{
    return machine_peek(&machine, PEBS_ADDRESS + offset, 8);
}

static void sample(unsigned counter, uint64_t event)
{
    machine_write(&machine, IA32_DS_AREA, AREA_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x20, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + 0x1000);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, PEBS_ADDRESS + 0x2000);
    machine_write(&machine, IA32_PERFEVTSEL0 + counter, COUNT | event);
    machine_write(&machine, IA32_PEBS_ENABLE, 1ull << counter);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
    empty_buffer();
}

static void sample_instructions(void)
{
    sample(0, INSTRUCTIONS);
}

/* The next event makes a record, and the one after that a second. */
static void arm(unsigned counter, uint64_t reload)
{
    empty_buffer();
    machine_poke(&machine, AREA_ADDRESS + 0x40 + 8 * counter, 8, reload);
    machine_write(&machine, IA32_PMC0 + counter, 0ull - 1);
}

#define FORMAT_0_SIZE 144

static void sample_to_one_record(void)
{
    sample(0, INSTRUCTIONS);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + FORMAT_0_SIZE);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, PEBS_ADDRESS + FORMAT_0_SIZE);
}

static void overflow(void)
{
    machine_write(&machine, IA32_PMC0, 0ull - 1);
    errata_run(0x40, NOP, 0);
    errata_run(0x43, NOP, 0);
}

/* It comes with the next record, for which there is no room. */
static bool interrupt_is_delayed(void)
{
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, OVFBUF);
    empty_buffer();
    overflow();
    unsigned first = machine.pmis;
    bool marked = machine_msr(&machine, IA32_PERF_GLOBAL_STATUS) & OVFBUF;

    overflow();
    return first == 0 && !marked && machine.pmis == 1 && bytes_stored() == FORMAT_0_SIZE &&
           machine_msr(&machine, IA32_PERF_GLOBAL_STATUS) & OVFBUF;
}

static bool switching_interrupts(void)
{
    machine.pmis = 0;
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    return machine.pmis == 1;
}

/* Of a counter that was armed, and of no other. */
static bool record_follows_disable(void)
{
    arm(0, PERIOD(1000));
    machine_write(&machine, IA32_PEBS_ENABLE, 0);
    errata_run(0x40, NOP, 0);
    bool unarmed = bytes_stored() > 0;

    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    arm(0, PERIOD(1000));
    errata_run(0x40, NOP, 0);
    machine_write(&machine, IA32_PEBS_ENABLE, 0);
    errata_run(0x43, NOP, 0);
    bool armed = bytes_stored() > 0;

    empty_buffer();
    errata_run(0x46, NOP, 0);
    bool once = bytes_stored() == 0;

    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    return armed && once && !unarmed;
}

static void sample_branches_in_smm(void)
{
    sample(0, BRANCHES);
    machine_debugctl(&machine, FREEZE_WHILE_SMM);
}

/* Armed by the branch; what follows RSM is none, and makes the record. */
static bool record_follows_rsm(void)
{
    arm(0, PERIOD(1000));
    machine_run_branch(&machine, 1, false);
    ds_smm_enter(&machine.cpu);
    errata_run(0x40, NOP, 0);
    ds_smm_leave(&machine.cpu);
    unsigned before = bytes_stored();

    errata_run(0x100, NOP, 0);
    return before == 0 && bytes_stored() > 0;
}

static bool comes_late(unsigned bytes)
{
    arm(0, PERIOD(1000));
    errata_run(0x40, NOP, 0);
    errata_run(0x43, bytes, 0);
    unsigned before = bytes_stored();

    errata_run(0x46, NOP, 0);
    return before == 0 && field(NEXT_FIELD) == MEMORY_BASE + 0x49;
}

static bool shadow_of_sti(void)
{
    bool others = comes_late(NOP) || comes_late(MOV_ES);

    return comes_late(STI) && !others;
}

static bool shadow_of_mov_ss(void)
{
    return comes_late(MOV_SS);
}

/* Not the first event, and not the third. */
static bool second_event_makes_the_record(void)
{
    bool others = comes_late(NOP);
    bool one_late = field(NEXT_FIELD) == MEMORY_BASE + 0x49;

    errata_run(0x49, NOP, 0);
    return others && one_late && field(NEXT_FIELD) == MEMORY_BASE + 0x49;
}

static void sample_two(void)
{
    sample(0, INSTRUCTIONS);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, COUNT | BRANCHES);
    machine_write(&machine, IA32_PEBS_ENABLE, 3);
}

static bool status_is_merged(void)
{
    arm(0, PERIOD(1000));
    errata_run(0x40, NOP, 0);
    errata_run(0x43, NOP, 0);
    return field(STATUS_FIELD) == 3;
}

static void sample_distributed(void)
{
    sample(1, PRECISE_INSTRUCTIONS);
}

static uint64_t restarts_from(uint64_t reload)
{
    arm(1, reload);
    errata_run(0x40, NOP, 0);
    errata_run(0x43, NOP, 0);
    return machine_msr(&machine, IA32_PMC0 + 1);
}

static bool short_period_is_longer(void)
{
    bool longer = restarts_from(PERIOD(100)) != PERIOD(100);

    return restarts_from(PERIOD(99)) == PERIOD(100) && !longer;
}

static bool eventing_ip_is_old(void)
{
    arm(0, PERIOD(1000));
    errata_run(0x40, NOP, 0);
    errata_run(0x43, NOP, 0);
    return field(EVENTING_FIELD) == MEMORY_BASE + 0x40;
}

static void sample_haswell(void)
{
    sample(0, MICRO_OPERATIONS);
}

static void sample_branches(void)
{
    sample(0, PRECISE_BRANCHES);
}

/* Whether the record of a branch, taken or not, has the instruction before it. */
static bool is_before_branch(bool taken)
{
    arm(0, PERIOD(1000));
    machine_run_branch(&machine, 1, false);
    errata_run(0x40, NOP, 0);
    machine_run_branch(&machine, 2, taken);
    return field(EVENTING_FIELD) == MEMORY_BASE + 0x40;
}

static bool eventing_ip_is_before_jcc(void)
{
    bool taken = is_before_branch(true);

    return is_before_branch(false) && !taken;
}

const struct exhibit pebs_exhibits[] = {
    {"AR64", 0x0f, 2, 0x10c2, sample_to_one_record, interrupt_is_delayed},
    {"BJ106", 0x2a, 3, 0x31c3, sample_instructions, switching_interrupts},
    {"HSD159", 0x3c, 3, 0x32c4, sample_haswell, record_follows_disable},
    {"AAJ73", 0x1a, 3, 0x31c3, sample_branches_in_smm, record_follows_rsm},
    {"AAJ128", 0x1a, 3, 0x31c3, sample_instructions, shadow_of_sti},
    {"AAT64", 0x2c, 3, 0x31c3, sample_instructions, shadow_of_mov_ss},
    {"pebs-status-merged", 0x1a, 3, 0x31c3, sample_two, status_is_merged},
    {"HSD11", 0x3c, 3, 0x32c4, sample_distributed, short_period_is_longer},
    {"HSD110", 0x3c, 3, 0x32c4, sample_haswell, second_event_makes_the_record},
    {"HSD167", 0x3c, 3, 0x32c4, sample_haswell, eventing_ip_is_old},
    {"SKL018", 0x5e, 4, 0x33c5, sample_branches, eventing_ip_is_before_jcc},
    {0},
};
