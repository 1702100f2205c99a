// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which faults and errata can this processor show? Its fields (NAME=VALUE, as -cpu calls them) come
 * in; out go, as the model has them, one a line and with tabs between,
 *     fault    name
 *     erratum  name, its names on other models, the fault that does the same or a symptom
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug_store.h"

static bool set_switch(struct ds_profile *profile, const char *name, bool value)
{
    if (strcmp(name, "ds") == 0)
        profile->ds = value;
    else if (strcmp(name, "dtes64") == 0)
        profile->dtes64 = value;
    else if (strcmp(name, "ds-cpl") == 0)
        profile->ds_cpl = value;
    else if (strcmp(name, "pdcm") == 0)
        profile->pdcm = value;
    else if (strcmp(name, "bts-unavailable") == 0)
        profile->bts_unavailable = value;
    else if (strcmp(name, "pebs-unavailable") == 0)
        profile->pebs_unavailable = value;
    else
        return false;
    return true;
}

static bool set_number(struct ds_profile *profile, const char *name, uint64_t value)
{
    if (strcmp(name, "model") == 0)
        profile->model = (uint8_t)value;
    else if (strcmp(name, "perfmon-version") == 0)
        profile->perfmon_version = (uint8_t)value;
    else if (strcmp(name, "general-counters") == 0)
        profile->general_counters = (uint8_t)value;
    else if (strcmp(name, "fixed-counters") == 0)
        profile->fixed_counters = (uint8_t)value;
    else if (strcmp(name, "perf-capabilities") == 0)
        profile->perf_capabilities = value;
    else
        return false;
    return true;
}

static bool set_field(struct ds_profile *profile, char *text)
{
    char *equals = strchr(text, '=');
    uint64_t value;

    if (equals == NULL)
        return false;
    *equals = '\0';
    value = strtoull(equals + 1, NULL, 0);
    return set_switch(profile, text, value != 0) || set_number(profile, text, value);
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
                   ds_erratum_effect(info)->name);
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
