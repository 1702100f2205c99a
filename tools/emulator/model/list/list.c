// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which published errata does the model have? One line each, fields separated by tabs: name, its
 * models by DisplayFamily_DisplayModel, what the processor must have, what it does, once in how
 * many times, its names on other models of its core.
 */
#include <inttypes.h>
#include <stdio.h>

#include "debug_store.h"

int main(void)
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
    return fflush(stdout) == 0 ? 0 : 1;
}
