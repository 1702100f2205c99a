/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stand-in: no missing feature has a reason. */
#ifndef TESTS_HOST_UNIT_NO_FEATURES_H
#define TESTS_HOST_UNIT_NO_FEATURES_H

#include "arch/cpu/identity/features.h"

void feature_missing_reason(enum feature feature, char *text, size_t size)
{
    (void)feature;
    if (size)
        text[0] = '\0';
}

#endif
