/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console/lab.h"

#include <stddef.h>

const char *const lab_words[LAB_SERVICE_COUNT + 1] = {"machine-check", "machine-check-other", NULL};

static unsigned known_services;

void lab_set(unsigned services)
{
    known_services = services;
}

bool lab_can(enum lab_services service)
{
    return (known_services & service) != 0;
}

const char *lab_word(enum lab_services service)
{
    unsigned i = 0;

    while (i + 1 < LAB_SERVICE_COUNT && (service & 1u << i) == 0)
        i++;
    return lab_words[i];
}
