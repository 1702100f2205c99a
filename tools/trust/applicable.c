// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which faults and errata can this processor show? Its fields (NAME=VALUE, as -cpu calls them) come
 * in; out go, as the model has them, one a line and with tabs between,
 *     fault    name
 *     erratum  name, its names on other models, the fault that it is
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug_store.h"

static const struct field {
    const char *name;
    size_t offset, size;
} fields[] = {
#define SWITCH(field, name, from, help) {name, offsetof(struct ds_profile, field), sizeof(bool)},
#define NUMBER(field, type, name, maximum, from, help)                                             \
    {name, offsetof(struct ds_profile, field), sizeof(type)},
#include "profile_fields.def"
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* Fields are little-endian numbers here, as processors are that can run this. */
static bool set_number(struct ds_profile *profile, const char *name, uint64_t value)
{
    for (size_t i = 0; i < FIELDS; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            memcpy((char *)profile + fields[i].offset, &value, fields[i].size);
            return true;
        }
    }
    return false;
}

static bool set_field(struct ds_profile *profile, char *text)
{
    char *equals = strchr(text, '=');
    uint64_t value;

    if (equals == NULL)
        return false;
    *equals = '\0';
    value = strtoull(equals + 1, NULL, 0);
    return set_number(profile, text, value);
}

static void print_faults(const struct ds_profile *profile)
{
    for (size_t i = 0; i < ds_fault_count; i++) {
        if (ds_fault_applies(&ds_faults[i], profile))
            printf("fault\t%s\n", ds_faults[i].name);
    }
}

static void print_errata(const struct ds_profile *profile)
{
    for (size_t i = 0; i < ds_errata_count; i++) {
        const struct ds_erratum_info *info = &ds_errata[i];

        if (ds_erratum_applies(info, profile))
            printf("erratum\t%s\t%s\t%s\n", info->name, info->further,
                   ds_faults[info->effect].name);
    }
}

int main(int count, char **arguments)
{
    struct ds_profile profile = {.present = true, .family = 6};

    for (int i = 1; i < count; i++) {
        if (!set_field(&profile, arguments[i])) {
            fprintf(stderr, "applicable: '%s' is no field of a processor\n", arguments[i]);
            return 2;
        }
    }
    print_faults(&profile);
    print_errata(&profile);
    return 0;
}
