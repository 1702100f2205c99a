/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: arch/cpu/processor_list.c arch/cpu/apic_mode.c */
#include "arch/cpu/processor_list.h"
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define MACHINES 20000u
#define LISTED   12u

static struct acpi_madt madt;
static struct processor_list list;

static void make(uint32_t own_id, enum apic_mode mode)
{
    list = processor_list_make(&madt, own_id, mode);
}

static void list_up_to(unsigned count)
{
    madt.processor_count = count;
    for (unsigned i = 0; i < count; i++)
        madt.processors[i] = i;
}

static void expect_ids(const char *what, const uint32_t *ids, unsigned count)
{
    CHECK(list.count == count, "%s: %u processors", what, list.count);
    for (unsigned i = 0; i < count && i < list.count; i++)
        CHECK(list.ids[i] == ids[i], "%s: number %u has id %x", what, i, list.ids[i]);
}

static void check_known(void)
{
    list_up_to(1);
    make(0, APIC_MODE_XAPIC);
    expect_ids("alone", (uint32_t[]){0}, 1);
    list_up_to(4);
    make(2, APIC_MODE_XAPIC);
    expect_ids("four", (uint32_t[]){2, 3, 0, 1}, 4);
    list_up_to(288);
    CHECK(processor_list_needs_x2apic(&madt), "288 need x2APIC");
    make(0, APIC_MODE_X2APIC);
    expect_ids("288", (uint32_t[]){0, 1, 2, 287}, 4);
    CHECK(list.out_of_reach == 0, "%u out of reach", list.out_of_reach);
    make(0, APIC_MODE_XAPIC);
    expect_ids("288 in xAPIC mode", (uint32_t[]){0, 1, 2, 254}, 4);
    CHECK(list.out_of_reach == 33, "%u out of reach", list.out_of_reach);
    list_up_to(255);
    CHECK(!processor_list_needs_x2apic(&madt), "255 do not need x2APIC");
}

static bool is_listed(uint32_t id)
{
    for (unsigned i = 0; i < madt.processor_count; i++)
        if (madt.processors[i] == id)
            return true;
    return false;
}

static bool is_used(uint32_t id)
{
    for (unsigned i = 0; i < list.count; i++)
        if (list.ids[i] == id)
            return true;
    return false;
}

static void check_used(uint32_t own_id, enum apic_mode mode)
{
    for (unsigned i = 1; i < list.count; i++) {
        uint32_t id = list.ids[i];
        CHECK(is_listed(id) && apic_mode_reaches(mode, id) && id != own_id, "id %x is used", id);
        CHECK((list.ids[i - 1] ^ own_id) < (id ^ own_id), "id %x is out of order", id);
    }
}

/* None that is left out is nearer than the nearest, or farther than the farthest. */
static void check_left_out(uint32_t own_id, enum apic_mode mode)
{
    unsigned out_of_reach = 0;
    for (unsigned i = 0; i < madt.processor_count; i++) {
        uint32_t id = madt.processors[i], distance = id ^ own_id;
        out_of_reach += !apic_mode_reaches(mode, id);
        if (!apic_mode_reaches(mode, id) || is_used(id))
            continue;
        CHECK(list.count == PROCESSORS_MAX, "id %x is left out, where there is room", id);
        CHECK(distance > (list.ids[PROCESSORS_MAX - 2] ^ own_id), "id %x is nearer", id);
        CHECK(distance < (list.ids[PROCESSORS_MAX - 1] ^ own_id), "id %x is farther", id);
    }
    CHECK(list.out_of_reach == out_of_reach, "%u out of reach", list.out_of_reach);
}

/* Sparse ids, of both modes, the running one listed or not. */
static void check_random_machine(void)
{
    uint32_t mask = rand() % 2 ? 0xff : 0x3ff, own_id = (uint32_t)rand() % 0xff;
    enum apic_mode mode = rand() % 2 ? APIC_MODE_XAPIC : APIC_MODE_X2APIC;
    madt.processor_count = 0;
    for (unsigned wanted = (unsigned)rand() % LISTED; wanted > 0; wanted--) {
        uint32_t id = rand() % 16 ? (uint32_t)rand() & mask : UINT32_MAX;
        if (!is_listed(id))
            madt.processors[madt.processor_count++] = id;
    }
    make(own_id, mode);
    CHECK(list.count >= 1 && list.count <= PROCESSORS_MAX && list.ids[0] == own_id, "number 0");
    check_used(own_id, mode);
    check_left_out(own_id, mode);
}

int main(void)
{
    check_known();
    for (unsigned i = 0; i < MACHINES; i++)
        check_random_machine();
    return check_result();
}
