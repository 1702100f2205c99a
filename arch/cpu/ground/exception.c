/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/ground/exception.h"
#include <stddef.h>

static const char *const names[] = {
    /* By vector (F14.7). */
    [0] = "#DE",  [1] = "#DB",  [2] = "NMI",  [3] = "#BP",  [4] = "#OF",  [5] = "#BR",
    [6] = "#UD",  [7] = "#NM",  [8] = "#DF",  [10] = "#TS", [11] = "#NP", [12] = "#SS",
    [13] = "#GP", [14] = "#PF", [16] = "#MF", [17] = "#AC", [18] = "#MC", [19] = "#XM",
};

const char *exception_name(struct exception exception)
{
    if (!exception_happened(exception))
        return "no exception";
    if (exception.vector >= sizeof(names) / sizeof(names[0]) || names[exception.vector] == NULL)
        return "unnamed vector";
    return names[exception.vector];
}
