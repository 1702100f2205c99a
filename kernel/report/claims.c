/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/claims.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

void claim_set_add(struct claim_set *set, const char *id)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->ids[i], id) == 0)
            return;
    }
    if (set->count < CLAIM_SET_COUNT)
        set->ids[set->count++] = id;
}

void claim_set_add_all(struct claim_set *set, const char *const *ids)
{
    for (; *ids != NULL; ids++)
        claim_set_add(set, *ids);
}

char *claim_set_format(const struct claim_set *set, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < set->count && used < size; i++)
        used += (size_t)format_string(text + used, size - used, " %s", set->ids[i]);
    return text;
}

size_t claim_family_length(const char *id)
{
    size_t length = strlen(id);

    while (length > 0 && id[length - 1] >= '0' && id[length - 1] <= '9')
        length--;
    return length;
}
