/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/lost.h"

#include "arch/lib/printf.h"
#include "kernel/watchdog.h"

#define VALUE_SIZE 32u

void lost_by_hanging(struct test_context *t, uint64_t timeout)
{
    t->no_excuse = true;
    FIND(t, HANG, "hung: no end after %lu s, at %pS in ring %u", timeout, (void *)watchdog_place(),
         watchdog_ring());
}

static bool is_told(const struct test_context *t, const struct refusal *refusal)
{
    static struct refusal last;
    static unsigned last_part;
    bool same = t->no_excuse && t->sub.run == last_part && refusal->place == last.place &&
                refusal->number == last.number && refusal->value == last.value;

    last = *refusal;
    last_part = t->sub.run;
    return same;
}

void lost_by_refusal(struct test_context *t, const struct refusal *refusal)
{
    char value[VALUE_SIZE];

    if (is_told(t, refusal))
        return;
    t->no_excuse = true;
    format_string(value, sizeof(value), " of 0x%lx", refusal->value);
    FIND(t, REFUSAL, "%s %XH%s raised %s at %pS", refusal->instruction, refusal->number,
         refusal->writes ? value : "", exception_name(refusal->exception), (void *)refusal->place);
}
