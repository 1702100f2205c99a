/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/fault.h"
#include <stddef.h>

static const char *const names[] = {
    /* F14.7 */
    [0] = "#DE",  [1] = "#DB",  [2] = "NMI",  [3] = "#BP",  [4] = "#OF",  [5] = "#BR",
    [6] = "#UD",  [7] = "#NM",  [8] = "#DF",  [10] = "#TS", [11] = "#NP", [12] = "#SS",
    [13] = "#GP", [14] = "#PF", [16] = "#MF", [17] = "#AC", [18] = "#MC", [19] = "#XM",
};

const char *fault_name(struct fault fault)
{
    if (!fault_happened(fault))
        return "no exception";
    if (fault.vector >= sizeof(names) / sizeof(names[0]) || names[fault.vector] == NULL)
        return "unnamed vector";
    return names[fault.vector];
}
