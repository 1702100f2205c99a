/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processors are used, of made-up machines: sparse ids, some that do not answer. */
#include "arch/cpu/smp/processor_list.h"
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define MACHINES 20000u
#define LISTED   24u

static struct acpi_madt madt;
static struct processor_ids others;
static struct processor_list list;
static unsigned out_of_reach;

static void make(uint32_t own_id, enum apic_mode mode)
{
    out_of_reach = processor_ids_reached(&madt, own_id, mode, &others);
    list = processor_list_make(&others, own_id);
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
    CHECK(out_of_reach == 0, "%u out of reach", out_of_reach);
    make(0, APIC_MODE_XAPIC);
    expect_ids("288 in xAPIC mode", (uint32_t[]){0, 1, 2, 254}, 4);
    CHECK(out_of_reach == 33, "%u out of reach", out_of_reach);
    list_up_to(255);
    CHECK(!processor_list_needs_x2apic(&madt), "255 do not need x2APIC");
    list_up_to(ACPI_PROCESSORS);
    make(0, APIC_MODE_X2APIC);
    expect_ids("as many as there is room for", (uint32_t[]){0, 1, 2, ACPI_PROCESSORS - 1}, 4);
}

static void admit(uint64_t kinds[PROCESSORS_MAX], uint32_t id, uint64_t kind, bool admitted)
{
    CHECK(processor_list_admit(&list, kinds, id, kind) == admitted, "id %u of kind %lu", id,
          (unsigned long)kind);
}

/* The first of each other kind gets a number, and no kind loses its only one. */
static void check_kinds(void)
{
    uint64_t kinds[PROCESSORS_MAX] = {1, 1, 1, 2};

    list_up_to(16);
    make(0, APIC_MODE_XAPIC);
    admit(kinds, 5, 1, false);
    admit(kinds, 6, 2, false);
    admit(kinds, 7, 3, true);
    expect_ids("a third kind", (uint32_t[]){0, 1, 7, 15}, 4);
    admit(kinds, 8, 3, false);
    admit(kinds, 9, 4, true);
    expect_ids("a fourth kind", (uint32_t[]){0, 9, 7, 15}, 4);
    admit(kinds, 10, 5, false);
    expect_ids("no room for more", (uint32_t[]){0, 9, 7, 15}, 4);
    list_up_to(2);
    make(0, APIC_MODE_XAPIC);
    admit(kinds, 3, 6, true);
    expect_ids("room for one more", (uint32_t[]){0, 1, 3}, 3);
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

/* --- machines of which some are deaf, and a patience that may end --- */

static bool deaf[0x400 + 1], was_called[0x400 + 1];
static unsigned calls_left;

static bool is_deaf(uint32_t id)
{
    return id <= 0x400 && deaf[id];
}

static enum call_result call(uint32_t id)
{
    CHECK(id <= 0x400 && !was_called[id], "id %x is called twice", id);
    if (calls_left == 0)
        return CALL_NO_TIME;
    calls_left--;
    was_called[id] = true;
    return deaf[id] ? CALL_CAME_NOT : CALL_CAME;
}

static void check_used(uint32_t own_id, enum apic_mode mode)
{
    CHECK(list.count >= 1 && list.count <= PROCESSORS_MAX && list.ids[0] == own_id, "number 0");
    for (unsigned i = 1; i < list.count; i++) {
        uint32_t id = list.ids[i];
        CHECK(is_listed(id) && apic_mode_reaches(mode, id) && id != own_id, "id %x is used", id);
        CHECK((list.ids[i - 1] ^ own_id) < (id ^ own_id), "id %x is out of order", id);
    }
}

/* None that is left out is nearer than the nearest, or farther than the farthest, and answers. */
static void check_left_out(uint32_t own_id, enum apic_mode mode, bool answers_only)
{
    unsigned beyond = 0;
    for (unsigned i = 0; i < madt.processor_count; i++) {
        uint32_t id = madt.processors[i], distance = id ^ own_id;
        beyond += !apic_mode_reaches(mode, id);
        if (!apic_mode_reaches(mode, id) || is_used(id) || (answers_only && is_deaf(id)))
            continue;
        CHECK(list.count == PROCESSORS_MAX, "id %x is left out, where there is room", id);
        CHECK(distance > (list.ids[PROCESSORS_MAX - 2] ^ own_id), "id %x is nearer", id);
        CHECK(distance < (list.ids[PROCESSORS_MAX - 1] ^ own_id), "id %x is farther", id);
    }
    CHECK(out_of_reach == beyond, "%u out of reach", out_of_reach);
}

/* Sparse ids, of both modes, the running one listed or not. */
static void draw_machine(void)
{
    uint32_t mask = rand() % 2 ? 0xff : 0x3ff;
    unsigned deafness = (unsigned)rand() % 5;
    madt.processor_count = 0;
    memset(deaf, 0, sizeof deaf);
    memset(was_called, 0, sizeof was_called);
    for (unsigned wanted = (unsigned)rand() % LISTED; wanted > 0; wanted--) {
        uint32_t id = rand() % 16 ? (uint32_t)rand() & mask : UINT32_MAX;
        if (is_listed(id))
            continue;
        madt.processors[madt.processor_count++] = id;
        if (id <= 0x400)
            deaf[id] = (unsigned)rand() % 4 < deafness;
    }
}

static void check_called(uint32_t own_id, enum apic_mode mode, bool had_time)
{
    check_used(own_id, mode);
    for (unsigned i = 1; i < list.count; i++)
        CHECK(was_called[list.ids[i]] && !deaf[list.ids[i]], "id %x never came", list.ids[i]);
    for (unsigned id = 0; id < 0x400; id++)
        CHECK(!was_called[id] || deaf[id] || is_used(id), "id %x came for nothing", id);
    if (had_time)
        check_left_out(own_id, mode, true);
    for (unsigned i = 0; i < others.count; i++)
        CHECK(others.id[i] > 0x400 || !was_called[others.id[i]] || !deaf[others.id[i]],
              "id %x is not taken out", others.id[i]);
}

static void check_random_machine(void)
{
    uint32_t own_id = (uint32_t)rand() % 0xff;
    enum apic_mode mode = rand() % 2 ? APIC_MODE_XAPIC : APIC_MODE_X2APIC;
    draw_machine();
    make(own_id, mode);
    check_used(own_id, mode);
    check_left_out(own_id, mode, false);
    calls_left = rand() % 2 ? LISTED : (unsigned)rand() % LISTED;
    list = processor_list_call(&others, own_id, call);
    check_called(own_id, mode, calls_left > 0);
}

int main(void)
{
    srand(1);
    check_known();
    check_kinds();
    for (unsigned i = 0; i < MACHINES; i++)
        check_random_machine();
    return check_result();
}
