// SPDX-License-Identifier: GPL-2.0-or-later
/* Table 17-6 over all 32 encodings and four ring transitions, and the readings of a crossing. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static bool is_stored(uint64_t debugctl, unsigned old_cpl, unsigned new_cpl)
{
    uint64_t before;

    machine_bts(&machine, 8, 0, 9);
    machine_debugctl(&machine, debugctl);
    before = machine_index(&machine);
    machine_branch(&machine, 1, old_cpl, new_cpl);
    return machine_index(&machine) == before + 1;
}

/* Row by row as the manual has it, for one CPL. */
static bool table_17_6(uint64_t debugctl, unsigned cpl)
{
    if (!(debugctl & TR) || !(debugctl & BTS)) {
        return false;
    }
    switch (debugctl & (OFF_OS | OFF_USR)) {
    case 0:
        return true;
    case OFF_OS:
        return cpl > 0;
    case OFF_USR:
        return cpl == 0;
    default:
        return false;
    }
}

static void all_encodings_inside_a_ring(void)
{
    machine_start(&machine);
    for (unsigned code = 0; code < 32; code++) {
        uint64_t debugctl = (uint64_t)code << 6;
        for (unsigned cpl = 0; cpl < 4; cpl++) {
            CHECK_EQUAL(is_stored(debugctl, cpl, cpl), table_17_6(debugctl, cpl));
        }
    }
}

static void all_encodings_across_rings(void)
{
    for (uint32_t crossing = DS_CROSSING_OLD; crossing <= DS_CROSSING_BOTH; crossing++) {
        machine_start(&machine);
        machine.cpu.variation.crossing = crossing;
        for (unsigned code = 0; code < 32; code++) {
            uint64_t debugctl = (uint64_t)code << 6;
            bool kernel = table_17_6(debugctl, 0), user = table_17_6(debugctl, 3);
            bool to_kernel = crossing == DS_CROSSING_OLD   ? user
                             : crossing == DS_CROSSING_NEW ? kernel
                                                           : kernel || user;
            bool to_user = crossing == DS_CROSSING_OLD   ? kernel
                           : crossing == DS_CROSSING_NEW ? user
                                                         : kernel || user;
            CHECK_EQUAL(is_stored(debugctl, 3, 0), to_kernel);
            CHECK_EQUAL(is_stored(debugctl, 0, 3), to_user);
        }
    }
}

static void wants_branches_when_some_ring_is_stored(void)
{
    machine_start(&machine);
    for (unsigned code = 0; code < 32; code++) {
        uint64_t debugctl = (uint64_t)code << 6;
        machine_debugctl(&machine, debugctl);
        CHECK_EQUAL(ds_wants_branches(&machine.cpu),
                    table_17_6(debugctl, 0) || table_17_6(debugctl, 3));
    }
}

static void not_stored_leaves_memory_alone(void)
{
    machine_start(&machine);
    machine_bts(&machine, 4, 0, 1);
    machine_debugctl(&machine, TR);
    machine_branches(&machine, 0, 9);
    machine_debugctl(&machine, TR | BTS | BTINT | OFF_OS);
    machine_branches(&machine, 0, 9);
    CHECK_EQUAL(machine_index(&machine), 0);
    CHECK(machine_is_poison(&machine, 0));
    CHECK_EQUAL(machine.pmis, 0);
}

const struct test filter_tests[] = {
    {"filter: all encodings inside a ring", all_encodings_inside_a_ring},
    {"filter: all encodings across rings", all_encodings_across_rings},
    {"filter: wants branches when some ring is stored", wants_branches_when_some_ring_is_stored},
    {"filter: not stored leaves memory alone", not_stored_leaves_memory_alone},
    {0},
};
