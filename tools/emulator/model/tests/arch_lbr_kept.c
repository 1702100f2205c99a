// SPDX-License-Identifier: GPL-2.0-or-later
/* Architectural LBRs: what stops them, and what they keep meanwhile; what XSAVES saves of them. */
#include "arch_lbr_machine.h"

static void frozen(void)
{
    record_all();
    machine_write(&machine, IA32_DEBUGCTL, FREEZE_LBRS);
    machine_write(&machine, IA32_PMC0, 0xffffffff);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT_INT | INSTRUCTIONS);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    machine_branches(&machine, 1, 2);
    machine_run(&machine, 2);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS) & LBR_FRZ, LBR_FRZ);
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), ALL);
    machine_branches(&machine, 3, 4);
    CHECK_EQUAL(from(0), machine_from(2));
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, LBR_FRZ);
    machine_branches(&machine, 5, 5);
    CHECK_EQUAL(from(0), machine_from(5));
    CHECK_EQUAL(from(1), machine_from(2));
}

static void a_debug_exception_stops_it(void)
{
    record_all();
    machine_branches(&machine, 1, 2);
    branch(DS_BRANCH_DEBUG_EXCEPTION, 0x1000, 0x2000, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), ALL & ~ON);
    machine_branches(&machine, 3, 4);
    CHECK_EQUAL(from(0), machine_from(2));
    CHECK_EQUAL(from(1), machine_from(1));
}

/* Whether branches in SMM are recorded. */
static bool recorded_in_smm(uint64_t debugctl)
{
    machine_write(&machine, IA32_DEBUGCTL, debugctl);
    machine_write(&machine, IA32_LBR_DEPTH, 8);
    machine_write(&machine, IA32_LBR_CTL, ALL);
    ds_smm_enter(&machine.cpu);
    bool on = machine_msr(&machine, IA32_LBR_CTL) & ON;
    machine_branches(&machine, 1, 1);
    CHECK_EQUAL(!is_empty(), on);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), ALL);
    return on;
}

static void system_management(void)
{
    start();
    CHECK(!recorded_in_smm(0));
    CHECK(!recorded_in_smm(FREEZE_WHILE_SMM));
    machine.cpu.variation.smi_lbr_by_freeze = 1;
    CHECK(recorded_in_smm(0));
    CHECK(!recorded_in_smm(FREEZE_WHILE_SMM));
    machine_write(&machine, IA32_LBR_CTL, 0);
    ds_smm_enter(&machine.cpu);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), 0);
}

static void init(void)
{
    static const uint64_t controls[] = {
        [DS_INIT_LBR_KEEPS] = ALL, [DS_INIT_LBR_STOPS] = ALL & ~ON, [DS_INIT_LBR_CLEARS] = 0};

    for (unsigned i = 0; i < 3; i++) {
        record_all();
        machine.cpu.variation.init_lbr = i;
        machine_branches(&machine, 1, 2);
        ds_init(&machine.cpu);
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), controls[i]);
        CHECK_EQUAL(is_empty(), i == DS_INIT_LBR_CLEARS);
    }
}

static void reset(void)
{
    for (unsigned keeps = 0; keeps < 2; keeps++) {
        record_all();
        machine.cpu.variation.reset_keeps_lbr = keeps;
        machine_write(&machine, IA32_LBR_DEPTH, 16);
        machine_branches(&machine, 1, 2);
        ds_reset(&machine.cpu);
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), keeps ? ALL & ~ON : 0);
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), keeps ? 16 : 32);
        CHECK_EQUAL(is_empty(), !keeps);
    }
    machine.cpu.variation.reset_keeps_lbr = 0;
    machine.cpu.variation.reset_lbr_depth = 1;
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), 0);
    machine_refuses_read(&machine, IA32_LBR_0_INFO);
    machine_write(&machine, IA32_LBR_CTL, ALL);
    machine_branches(&machine, 1, 2);
    machine_write(&machine, IA32_LBR_DEPTH, 8);
    CHECK(is_empty());
}

static void a_deep_halt_empties_it(void)
{
    for (unsigned told = 0; told < 2; told++) {
        start_told(told ? 0x4000000b : 0xb, 7, 7);
        machine.cpu.variation.halt_loses_lbr = 1;
        machine_write(&machine, IA32_LBR_CTL, ALL);
        machine_branches(&machine, 1, 2);
        ds_halt(&machine.cpu, &machine.host);
        CHECK_EQUAL(is_empty(), told);
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), ALL);
    }
}

static void saved_and_restored(void)
{
    uint64_t image[DS_LBR_IMAGE];

    record_all();
    machine.cpu.profile.xsaves_lbr = true;
    machine_branches(&machine, 1, 3);
    branch(DS_BRANCH_EXCEPTION, 0x1000, 0x2000, 0);
    ds_lbr_save(&machine.cpu, image);
    CHECK_EQUAL(sizeof(image), 808);
    CHECK_EQUAL(image[0], ALL);
    CHECK_EQUAL(image[1], 32);
    CHECK_EQUAL(image[2], machine_from(3));
    CHECK_EQUAL(image[3], machine_to(3));
    CHECK_EQUAL(image[4], machine_msr(&machine, IA32_LER_INFO));
    for (uint32_t i = 0; i < 32; i++) {
        CHECK_EQUAL(image[5 + 3 * i], from(i));
        CHECK_EQUAL(image[6 + 3 * i], to(i));
        CHECK_EQUAL(image[7 + 3 * i], info(i));
    }
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), ALL);
    ds_lbr_initial(&machine.cpu);
    CHECK(is_empty() && machine_msr(&machine, IA32_LBR_CTL) == 0);
    CHECK(ds_lbr_restore(&machine.cpu, image));
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), ALL);
    CHECK_EQUAL(from(1), machine_from(3));
    CHECK_EQUAL(machine_msr(&machine, 0x1de), machine_to(3));
    image[0] = 0x10;
    CHECK(!ds_lbr_restore(&machine.cpu, image));
}

/* The control and the last exception record are loaded, whatever the depth (F20.19). */
static void restored_with_another_depth(void)
{
    for (unsigned loads = 0; loads < 2; loads++) {
        uint64_t image[DS_LBR_IMAGE];
        record_all();
        machine.cpu.variation.xrstors_loads_depth = loads;
        machine_branches(&machine, 1, 3);
        branch(DS_BRANCH_EXCEPTION, 0x1000, 0x2000, 0);
        ds_lbr_save(&machine.cpu, image);
        machine_write(&machine, IA32_LBR_DEPTH, 8);
        machine_branches(&machine, 4, 5);
        branch(DS_BRANCH_EXCEPTION, 0x1000, 0x2000, 0);
        machine_write(&machine, IA32_LBR_CTL, 0);
        CHECK(ds_lbr_restore(&machine.cpu, image));
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), ALL);
        CHECK_EQUAL(machine_msr(&machine, 0x1dd), machine_from(3));
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), loads ? 32 : 8);
        CHECK_EQUAL(from(0), loads ? 0x1000 : 0);
        CHECK_EQUAL(is_empty(), !loads);
    }
}

/* An image whose depth has reserved bits is refused, and nothing is loaded. */
static void refused_for_its_depth(void)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t image[DS_LBR_IMAGE] = {[1] = 32 ^ 1ull << bit};

        record_all();
        machine_branches(&machine, 1, 3);
        CHECK_EQUAL(ds_lbr_restore(&machine.cpu, image), bit < 7);
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), bit < 7 ? 0 : ALL);
        CHECK_EQUAL(from(0), bit < 7 ? 0 : machine_from(3));
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), 32);
    }
}

/* Where the image lacks the component. */
static void initial(void)
{
    record_all();
    machine_write(&machine, IA32_LBR_DEPTH, 16);
    machine_branches(&machine, 1, 3);
    branch(DS_BRANCH_EXCEPTION, 0x1000, 0x2000, 0);
    ds_lbr_initial(&machine.cpu);
    CHECK(is_empty());
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), 16);
    CHECK_EQUAL(machine_msr(&machine, 0x1dd), 0);
    CHECK_EQUAL(machine_msr(&machine, 0x1de), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_LER_INFO), 0);
}

static void supervisor_states(void)
{
    start();
    machine.cpu.profile.xsaves_lbr = true;
    CHECK_EQUAL(machine_msr(&machine, IA32_XSS), 0);
    machine_write(&machine, IA32_XSS, 1u << 15);
    CHECK_EQUAL(machine_msr(&machine, IA32_XSS), 1u << 15);
    machine_refuses(&machine, IA32_XSS, 1u << 8);
    machine.cpu.profile.xsaves_lbr = false;
    uint64_t value;
    CHECK_EQUAL(ds_msr_read(&machine.cpu, IA32_XSS, &value), DS_MSR_NOT_MINE);
    machine.cpu.profile.xsaves_lbr = true;
    machine.cpu.profile.lbr_leaf_eax = 0;
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
}

const struct test arch_lbr_kept_tests[] = {
    {"arch lbr: frozen", frozen},
    {"arch lbr: a debug exception stops it", a_debug_exception_stops_it},
    {"arch lbr: SMM", system_management},
    {"arch lbr: INIT", init},
    {"arch lbr: RESET", reset},
    {"arch lbr: a deep halt empties it", a_deep_halt_empties_it},
    {"arch lbr: saved and restored", saved_and_restored},
    {"arch lbr: restored with another depth", restored_with_another_depth},
    {"arch lbr: not restored with reserved bits in the depth", refused_for_its_depth},
    {"arch lbr: made initial", initial},
    {"arch lbr: IA32_XSS", supervisor_states},
    {0},
};
