// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of faults and its text form. */
#include "fault.h"

#include <stdio.h>
#include <string.h>

#include "../number.h"

const struct ds_fault_info ds_faults[] = {
#define FAULT(identifier, name, claims, needs, help, kind) {name, claims, needs, help, kind},
#include "fault_list.h"
};

const size_t ds_fault_count = FAULT_COUNT;

struct ds_fault_settings ds_faults_anywhere;

_Static_assert(FAULT_COUNT <= DS_FAULTS_MAX, "a processor has room for every fault");

/* Row of the fault with this name of length characters; ds_fault_count if there is none. */
static size_t find(const char *name, size_t length)
{
    size_t row = 0;

    while (row < ds_fault_count && (strlen(ds_faults[row].name) != length ||
                                    memcmp(ds_faults[row].name, name, length) != 0)) {
        row++;
    }
    return row;
}

/* NAME or NAME:1/N, length characters of it. */
static const char *set_one(void *opaque, const char *text, size_t length)
{
    struct ds_fault_settings *settings = opaque;
    const char *colon = memchr(text, ':', length);
    size_t name_length = colon ? (size_t)(colon - text) : length;
    size_t row = find(text, name_length);
    uint32_t period = 1;

    if (row == ds_fault_count) {
        return "no fault has this name";
    }
    if (colon && !number_parse_chance(colon + 1, length - name_length - 1, &period)) {
        return NUMBER_CHANCE_WRONG;
    }
    settings->period[row] = period;
    settings->some = true;
    return NULL;
}

const char *ds_fault_set(struct ds_fault_settings *settings, const char *text)
{
    struct ds_fault_settings fresh = {0};
    const char *wrong = number_each_name(text, set_one, &fresh);

    if (!wrong) {
        *settings = ds_faults_anywhere = fresh;
    }
    return wrong;
}

void ds_fault_leave_to_last(struct ds_fault_settings *settings)
{
    settings->some = false;
    for (size_t row = 0; row < ds_fault_count; row++) {
        if (strstr(ds_faults[row].needs, "alone")) {
            settings->period[row] = 0;
        }
        settings->some |= settings->period[row] > 0;
    }
}

void ds_fault_get(const struct ds_fault_settings *settings, char *text, size_t size)
{
    size_t length = 0;

    if (size > 0) {
        text[0] = '\0';
    }
    for (size_t row = 0; row < ds_fault_count && length < size; row++) {
        uint32_t period = settings->period[row];

        if (period > 0) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? "+" : "",
                                       ds_faults[row].name);
        }
        if (period > 1 && length < size) {
            length += (size_t)snprintf(text + length, size - length, ":1/%u", period);
        }
    }
}
