/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the DS save area refuse what breaks its own rules, and say which rule? */
#include <stdio.h>
#include "arch/trace/ds.h"

#define BASE    0xffffffff80100000ull
#define RECORDS 10u

static struct page_rights rights;
static int failures;

static struct page_rights lookup(const void *address)
{
    (void)address;
    return rights;
}

static const struct page_rights good_rights = {
    .present = true, .writable = true, .accessed = true, .dirty = true};

static struct bts_geometry good_geometry(void)
{
    return (struct bts_geometry){BASE, BASE + RECORDS * BTS_RECORD_SIZE,
                                 BASE + 8 * BTS_RECORD_SIZE};
}

static void expect(const char *what, enum ds_error got, enum ds_error expected)
{
    if (got == expected)
        return;
    printf("%s: got \"%s\", expected \"%s\"\n", what, ds_error_text(got), ds_error_text(expected));
    failures++;
}

static void check(const char *what, struct bts_geometry geometry, enum ds_error expected)
{
    expect(what, ds_check_bts(&geometry, lookup), expected);
}

static void test_sizes(void)
{
    struct bts_geometry geometry = good_geometry();

    check("good", geometry, DS_OK);
    geometry.absolute_maximum++;
    check("one byte more", geometry, DS_OK);
    geometry.absolute_maximum++;
    check("two bytes more", geometry, DS_BUFFER_NOT_WHOLE_RECORDS);
    geometry.absolute_maximum = BASE + BTS_RECORD_SIZE + 1;
    check("the minimum", geometry, DS_OK);
    geometry.absolute_maximum--;
    check("one byte below the minimum", geometry, DS_BUFFER_TOO_SMALL);
    geometry.absolute_maximum = BASE - 1;
    check("maximum below base", geometry, DS_BUFFER_TOO_SMALL);
}

static void test_addresses(void)
{
    struct bts_geometry geometry = good_geometry();

    geometry.threshold++;
    check("threshold off a record", geometry, DS_THRESHOLD_OFF_BOUNDARY);
    geometry = good_geometry();
    geometry.threshold = BASE - BTS_RECORD_SIZE;
    check("threshold below base", geometry, DS_THRESHOLD_OFF_BOUNDARY);
    geometry = good_geometry();
    geometry.threshold = geometry.absolute_maximum + BTS_RECORD_SIZE;
    check("threshold above maximum", geometry, DS_OK);
    geometry.base += 2;
    geometry.absolute_maximum += 2;
    check("base off a doubleword", geometry, DS_BASE_MISALIGNED);
    geometry = (struct bts_geometry){1ull << 60, (1ull << 60) + 240, 1ull << 60};
    check("not canonical", geometry, DS_NOT_CANONICAL);
}

static void test_pages(void)
{
    static const struct {
        const char *what;
        struct page_rights rights;
        enum ds_error error;
    } cases[] = {
        {"not present", {.present = false}, DS_PAGE_NOT_PRESENT},
        {"code", {.present = true, .executable = true}, DS_PAGE_HOLDS_CODE},
        {"ring 3", {.present = true, .writable = true, .user = true}, DS_PAGE_OPEN_TO_RING_3},
        {"read only", {.present = true}, DS_PAGE_READ_ONLY},
        {"not dirty", {.present = true, .writable = true, .accessed = true}, DS_PAGE_NOT_TOUCHED},
        {"not accessed", {.present = true, .writable = true, .dirty = true}, DS_PAGE_NOT_TOUCHED},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rights = cases[i].rights;
        check(cases[i].what, good_geometry(), cases[i].error);
    }
    rights = good_rights;
}

static void test_build(void)
{
    struct ds_management_area area = {.bts_index = 42};
    struct bts_geometry geometry = good_geometry();

    geometry.threshold += 5;
    if (ds_build_bts(&area, &geometry, lookup) == DS_OK || area.bts_index != 42) {
        printf("a bad geometry was built, or the area touched\n");
        failures++;
    }
    geometry = good_geometry();
    expect("build", ds_build_bts(&area, &geometry, lookup), DS_OK);
    if (area.bts_index != BASE || area.bts_buffer_base != BASE ||
        area.bts_absolute_maximum != geometry.absolute_maximum ||
        area.bts_interrupt_threshold != geometry.threshold) {
        printf("the fields are not those of the geometry\n");
        failures++;
    }
}

static void expect_slot(unsigned format, bool fixed, unsigned number, unsigned slot)
{
    unsigned got = ds_reset_slot(format, fixed, number);

    if (got != slot) {
        printf("format %u, %s %u: slot %u, not %u\n", format, fixed ? "fixed" : "pmc", number, got,
               slot);
        failures++;
    }
}

/* In bytes: 80H with format 4, 140H with 5 (F3.2). */
static void test_reset_slots(void)
{
    expect_slot(1, false, 3, 3);
    expect_slot(4, false, 7, 7);
    expect_slot(4, true, 0, 8);
    expect_slot(4, true, 3, 11);
    expect_slot(5, false, 9, 9);
    expect_slot(5, true, 0, 32);
    expect_slot(6, true, 6, 38);
}

int main(void)
{
    rights = good_rights;
    test_sizes();
    test_addresses();
    test_pages();
    test_build();
    test_reset_slots();
    return failures != 0;
}
