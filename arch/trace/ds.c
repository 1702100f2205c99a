/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/ds.h"

#define SLOTS_AHEAD_OF_FIXED       8u /* formats below 5 (F3.2) */
#define SLOTS_AHEAD_OF_FIXED_LATER 32u
#define FORMAT_WITH_LATER_SLOTS    5u

unsigned ds_reset_slot(unsigned pebs_format, bool fixed, unsigned number)
{
    unsigned ahead =
        pebs_format < FORMAT_WITH_LATER_SLOTS ? SLOTS_AHEAD_OF_FIXED : SLOTS_AHEAD_OF_FIXED_LATER;

    return fixed ? ahead + number : number;
}

const char *ds_error_text(enum ds_error error)
{
    switch (error) {
    case DS_OK:
        return "in order";
    case DS_NOT_CANONICAL:
        return "an address of the DS save area is not canonical";
    case DS_BASE_MISALIGNED:
        return "the buffer base is off a doubleword boundary";
    case DS_BUFFER_TOO_SMALL:
        return "the buffer is smaller than one record plus one byte";
    case DS_BUFFER_NOT_WHOLE_RECORDS:
        return "the buffer is not a whole number of records";
    case DS_THRESHOLD_OFF_BOUNDARY:
        return "the interrupt threshold is off a record boundary";
    case DS_PAGE_NOT_PRESENT:
        return "a page of the DS save area is not present";
    case DS_PAGE_READ_ONLY:
        return "a page of the DS save area is read only";
    case DS_PAGE_HOLDS_CODE:
        return "a page of the DS save area is a code page";
    case DS_PAGE_OPEN_TO_RING_3:
        return "a page of the DS save area is open to ring 3";
    case DS_PAGE_NOT_TOUCHED:
        return "a page of the DS save area has its accessed or dirty bit clear";
    }
    return "unknown";
}

static bool is_canonical(uint64_t address)
{
    return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

static enum ds_error check_rights(struct page_rights page)
{
    if (!page.present)
        return DS_PAGE_NOT_PRESENT;
    if (page.executable)
        return DS_PAGE_HOLDS_CODE;
    if (page.user)
        return DS_PAGE_OPEN_TO_RING_3;
    if (!page.writable)
        return DS_PAGE_READ_ONLY;
    if (!page.accessed || !page.dirty)
        return DS_PAGE_NOT_TOUCHED;
    return DS_OK;
}

/* The first rule broken by [start, start + length), or DS_OK. */
static enum ds_error check_pages(uint64_t start, uint64_t length, ds_rights_lookup rights)
{
    uint64_t last = start + length - 1;

    if (!is_canonical(start) || !is_canonical(last) || last < start)
        return DS_NOT_CANONICAL;
    for (uint64_t page = start & ~(uint64_t)(PAGE_SIZE - 1); page <= last; page += PAGE_SIZE) {
        enum ds_error error = check_rights(rights((const void *)page));

        if (error != DS_OK)
            return error;
    }
    return DS_OK;
}

enum ds_error ds_check_buffer(const struct bts_geometry *geometry, size_t record_size,
                              ds_rights_lookup rights)
{
    uint64_t size = geometry->absolute_maximum - geometry->base;

    if (!is_canonical(geometry->base) || !is_canonical(geometry->absolute_maximum))
        return DS_NOT_CANONICAL;
    if (geometry->base % sizeof(uint32_t) != 0)
        return DS_BASE_MISALIGNED;
    if (geometry->absolute_maximum < geometry->base || size < record_size + 1)
        return DS_BUFFER_TOO_SMALL;
    /* F3.21: a whole number of records, or the literal reading's one byte more. */
    if (size % record_size > 1)
        return DS_BUFFER_NOT_WHOLE_RECORDS;
    if (geometry->threshold < geometry->base ||
        (geometry->threshold - geometry->base) % record_size != 0)
        return DS_THRESHOLD_OFF_BOUNDARY;
    return check_pages(geometry->base, size, rights);
}

enum ds_error ds_check_bts(const struct bts_geometry *geometry, ds_rights_lookup rights)
{
    return ds_check_buffer(geometry, BTS_RECORD_SIZE, rights);
}

enum ds_error ds_build_bts(struct ds_management_area *area, const struct bts_geometry *geometry,
                           ds_rights_lookup rights)
{
    enum ds_error error = check_pages((uint64_t)area, sizeof *area, rights);

    if (error == DS_OK)
        error = ds_check_bts(geometry, rights);
    if (error != DS_OK)
        return error;
    area->bts_buffer_base = geometry->base;
    area->bts_index = geometry->base;
    area->bts_absolute_maximum = geometry->absolute_maximum;
    area->bts_interrupt_threshold = geometry->threshold;
    return DS_OK;
}

enum ds_error ds_build_pebs(struct ds_management_area *area, const struct bts_geometry *geometry,
                            size_t record_size, ds_rights_lookup rights)
{
    enum ds_error error = check_pages((uint64_t)area, sizeof *area, rights);

    if (error == DS_OK)
        error = ds_check_buffer(geometry, record_size, rights);
    if (error != DS_OK)
        return error;
    area->pebs_buffer_base = geometry->base;
    area->pebs_index = geometry->base;
    area->pebs_absolute_maximum = geometry->absolute_maximum;
    area->pebs_interrupt_threshold = geometry->threshold;
    return DS_OK;
}
