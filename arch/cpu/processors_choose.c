/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the machine's other processors are used: those that come when they are called. */
#include "arch/cpu/acpi.h"
#include "arch/cpu/apic.h"
#include "arch/cpu/features.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/percpu.h"
#include "arch/cpu/processors_start.h"
#include "arch/lib/printf.h"

/* One that does not answer takes a second; all that do not come may take so much together. */
#define PATIENCE_MICROSECONDS 10000000u

static struct acpi_madt madt;
static struct processor_ids others; /* that may be called */
static struct processor_ids called;
static unsigned listed = 1, out_of_reach;
static const char *missing; /* why there is no second one, where the MADT lists one */
static uint64_t ticks_per_microsecond = 1;
static uint64_t ticks_lost; /* with those that did not come, since the calls began */

static struct processor_call absent[PROCESSORS_ABSENT_KEPT];
static unsigned absent_count;
static bool ended_early;

static const char *read_madt(void)
{
    static bool was_read;
    static const char *wrong;
    if (!was_read)
        wrong = acpi_read_madt(&madt);
    if (wrong != NULL)
        madt.processor_count = 0;
    was_read = true;
    return wrong;
}

bool processors_need_x2apic(void)
{
    return read_madt() == NULL && processor_list_needs_x2apic(&madt);
}

static const char *find_others(void)
{
    const char *wrong = read_madt();
    if (wrong != NULL)
        return wrong;
    out_of_reach = processor_ids_reached(&madt, cpus[0].apic_id, apic_mode(), &others);
    listed = 1 + others.count + out_of_reach;
    if (others.count == 0)
        return out_of_reach > 0 ? "the local APIC's mode can address none of the others" : NULL;
    if (madt.has_wakeup)
        return "the MADT has a wake-up mailbox (type 16): firmware that needs one takes no INIT";
    return NULL;
}

static const char *prepare(void)
{
    if (apic_mode() == APIC_MODE_ABSENT)
        return "there is no local APIC to start it with";
    const char *wrong = find_others();
    if (wrong == NULL && others.count > 0)
        wrong = processors_prepare(ticks_per_microsecond);
    return wrong;
}

static void use(const struct processor_list *list)
{
    processors_use(list);
    cpu_features()->present[FEATURE_SECOND_PROCESSOR] = list->count > 1;
}

void processors_init(uint64_t tsc_per_microsecond, const char *forbidden)
{
    ticks_per_microsecond = tsc_per_microsecond;
    missing = prepare();
    if (missing == NULL && others.count > 0)
        missing = forbidden;
    if (missing != NULL)
        others.count = 0;
    struct processor_list list = processor_list_make(&others, cpus[0].apic_id);
    use(&list);
}

/* The kept ones are the first of them. */
static void note_absent(const struct processor_call *call)
{
    if (absent_count < PROCESSORS_ABSENT_KEPT)
        absent[absent_count] = *call;
    absent_count++;
}

static bool has_patience(void)
{
    return ticks_lost < PATIENCE_MICROSECONDS * ticks_per_microsecond;
}

static bool comes(uint32_t id, struct processor_call *call)
{
    uint64_t start = insn_rdtsc();
    processor_call(id, call);
    if (call->wrong != NULL)
        ticks_lost += insn_rdtsc() - start;
    return call->wrong == NULL;
}

static enum call_result call_once(uint32_t id)
{
    struct processor_call call;
    ended_early = !has_patience();
    if (ended_early)
        return CALL_NO_TIME;
    called.id[called.count++] = id;
    processors_send_init(&id, 1);
    if (comes(id, &call))
        return CALL_CAME;
    note_absent(&call);
    return CALL_CAME_NOT;
}

void processors_call(void)
{
    if (others.count == 0)
        return;
    struct processor_list list = processor_list_call(&others, cpus[0].apic_id, call_once);
    processors_settle(called.id, called.count);
    use(&list);
}

unsigned processors_listed(void)
{
    return listed;
}

unsigned processors_out_of_reach(void)
{
    return out_of_reach;
}

const char *processors_missing(void)
{
    return missing;
}

unsigned processors_absent(const struct processor_call **first)
{
    *first = absent;
    return absent_count;
}

bool processors_call_ended_early(void)
{
    return ended_early;
}

static bool explain(enum feature feature, char *text, size_t size)
{
    if (feature != FEATURE_SECOND_PROCESSOR)
        return false;
    if (missing != NULL)
        format_string(text, size, "needs a second processor: %s", missing);
    else if (absent_count > 0)
        format_string(text, size, "needs a second processor: that with APIC id %u: %s",
                      absent[0].apic_id, absent[0].wrong);
    else
        format_string(text, size, "needs a second processor: the MADT lists %u", listed);
    return true;
}

FEATURE_PROBER(second_processor, .explain = explain);

/* Those that did not come before are not called again. */
struct roll_call processors_call_roll(void)
{
    struct roll_call roll = {.came = 1};
    struct processor_call call;
    ticks_lost = 0;
    processors_send_init(others.id, others.count);
    for (unsigned i = 0; i < others.count && has_patience(); i++) {
        roll.called++;
        if (comes(others.id[i], &call))
            roll.came++;
        else if (roll.absent.wrong == NULL)
            roll.absent = call;
    }
    processors_settle(others.id, others.count);
    return roll;
}
