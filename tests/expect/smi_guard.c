/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/expect/smi_guard.h"

#include "arch/cpu/smi.h"

struct smi_mark smi_mark(void)
{
    static bool absent; /* asked once: without the register the answer is a fault */
    struct smi_mark mark = {false, 0};

    if (!absent)
        mark.known = smi_count(&mark.count);
    absent = !mark.known;
    return mark;
}

bool smi_came_since(const struct smi_mark *mark)
{
    struct smi_mark now = smi_mark();

    return mark->known && now.known && now.count != mark->count;
}
