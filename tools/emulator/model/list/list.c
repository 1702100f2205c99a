// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which faults, variations, errata and fields does the model have? One line each, fields separated
 * by tabs. list faults       name, claims and errata, what the processor must have, what it does
 *   list errata       name, its models by DisplayFamily_DisplayModel, what the processor must have,
 *                     what it does, once in how many times, its names on other models of its core
 *   list variations   name, values separated by '|' with the default first, what it decides
 *   list fields       what a processor has, by name
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug_store.h"

static void list_faults(void)
{
    for (size_t i = 0; i < ds_fault_count; i++) {
        const struct ds_fault_info *info = &ds_faults[i];
        printf("%s\t%s\t%s\t%s\n", info->name, info->claims, info->needs, info->help);
    }
}

static void list_variations(void)
{
    for (size_t i = 0; i < ds_variation_count; i++) {
        const struct ds_variation_info *info = &ds_variations[i];
        printf("%s\t", info->name);
        for (size_t j = 0; info->choices && info->choices[j]; j++) {
            printf("%s%s", j ? "|" : "", info->choices[j]);
        }
        if (!info->choices) {
            printf("0..%" PRIu32, info->maximum);
        }
        printf("\t%s\n", info->help);
    }
}

static void list_errata(void)
{
    for (size_t i = 0; i < ds_errata_count; i++) {
        const struct ds_erratum_info *info = &ds_errata[i];
        const struct ds_fault_info *effect = ds_erratum_effect(info);
        printf("%s\t", info->name);
        for (const uint8_t *model = info->models; *model; model++) {
            printf("%s06_%02X", model == info->models ? "" : " ", *model);
        }
        printf("\t%s\t%s\t%" PRIu32 "\t%s\n", effect->needs, effect->help, info->period,
               info->further);
    }
}

static void list_fields(void)
{
#define SWITCH(field, name, from, help)                printf("%s\n", name);
#define NUMBER(field, type, name, maximum, from, help) printf("%s\n", name);
#include "profile_fields.def"
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "faults") == 0) {
        list_faults();
    } else if (argc == 2 && strcmp(argv[1], "variations") == 0) {
        list_variations();
    } else if (argc == 2 && strcmp(argv[1], "errata") == 0) {
        list_errata();
    } else if (argc == 2 && strcmp(argv[1], "fields") == 0) {
        list_fields();
    } else {
        fprintf(stderr, "usage: list faults | list variations | list errata | list fields\n");
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
