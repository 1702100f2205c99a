/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the other processors to use, among those that start. */
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/smp/processors_start.h"
#include "arch/lib/printf.h"

/* The most time for processors that do not start; each takes a second. */
#define PATIENCE_MICROSECONDS 10000000u
#define PROBE_MICROSECONDS    2000000u
#define APART_MICROSECONDS    1000u /* TSCs */

static struct acpi_madt madt;
static struct processor_ids others; /* that may be called */
static struct processor_ids called;
static uint64_t kinds[ACPI_PROCESSORS]; /* of the called ones; 0: did not start */
static const char *unprobed[PROCESSORS_MAX];
static unsigned listed = 1, out_of_reach;
static const char *missing; /* why none is usable although the MADT lists one */
static uint64_t ticks_per_microsecond = 1;
static uint64_t ticks_lost; /* on processors that did not start */

static struct processor_call absent[PROCESSORS_ABSENT_KEPT];
static unsigned absent_count;
static bool ended_early;

static unsigned apart; /* TSCs */
static uint32_t farthest;
static int64_t farthest_ahead;

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
    for (unsigned i = 0; i < PROCESSORS_MAX; i++) {
        features_view(i);
        cpu_features()->present[FEATURE_SECOND_PROCESSOR] = list->count > 1;
    }
    features_view(0);
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

/* Keeps the first ones. */
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

static int64_t distance(int64_t ahead)
{
    return ahead < 0 ? -ahead : ahead;
}

static void note_tsc(const struct processor_call *call)
{
    apart += distance(call->tsc_ahead) >= (int64_t)(APART_MICROSECONDS * ticks_per_microsecond);
    if (distance(call->tsc_ahead) <= distance(farthest_ahead))
        return;
    farthest = call->apic_id;
    farthest_ahead = call->tsc_ahead;
}

unsigned processors_tsc_apart(uint32_t *apic_id, int64_t *ahead)
{
    *apic_id = farthest;
    *ahead = farthest_ahead;
    return apart;
}

static enum call_result call_once(uint32_t id)
{
    struct processor_call call;
    ended_early = !has_patience();
    if (ended_early)
        return CALL_NO_TIME;
    called.id[called.count++] = id;
    processors_send_init(&id, 1);
    if (comes(id, &call)) {
        kinds[called.count - 1] = call.kind;
        note_tsc(&call);
        return CALL_CAME;
    }
    note_absent(&call);
    return CALL_CAME_NOT;
}

/* 0 if it was not called or did not start. */
static uint64_t kind_of(uint32_t id, bool *was_called)
{
    unsigned at = 0;
    while (at < called.count && called.id[at] != id)
        at++;
    *was_called = at < called.count;
    return *was_called ? kinds[at] : 0;
}

/* Calls every other processor, to learn its kind. */
static void call_the_rest(struct processor_list *list, uint64_t in_list[PROCESSORS_MAX])
{
    bool was_called;
    for (unsigned i = 0; i < others.count;) {
        uint32_t id = others.id[i++];
        kind_of(id, &was_called);
        if (was_called)
            continue;
        enum call_result result = call_once(id);
        if (result == CALL_CAME)
            processor_list_admit(list, in_list, id, kind_of(id, &was_called));
        else if (result == CALL_CAME_NOT)
            processor_ids_take_out(&others, others.id[--i]);
    }
}

/* Each kind of core enumerates and decides on its own (F24.8). */
static void call_other_kinds(struct processor_list *list)
{
    const struct cpu_identity *own = features_identity(0);
    uint64_t in_list[PROCESSORS_MAX] = {(uint64_t)own->core << 32 | own->signature};
    bool was_called;
    for (unsigned i = 1; i < list->count; i++)
        in_list[i] = kind_of(list->ids[i], &was_called);
    call_the_rest(list, in_list);
}

static void run_probe(void *probe)
{
    (*(void (**)(void))probe)();
}

static const char *probe_on(unsigned index, void (*probe)(void))
{
    const char *wrong = processor_start(index, NULL);
    if (wrong == NULL)
        wrong = processor_begin(index, run_probe, &probe);
    if (wrong == NULL)
        wrong = processor_wait(index, PROBE_MICROSECONDS);
    processor_stop(index);
    return wrong;
}

void processors_call(void (*probe)(void))
{
    if (others.count == 0)
        return;
    struct processor_list list = processor_list_call(&others, cpus[0].apic_id, call_once);
    if (identity_is_hybrid())
        call_other_kinds(&list);
    processors_settle(called.id, called.count);
    use(&list);
    for (unsigned i = 1; i < processor_count(); i++)
        unprobed[i] = probe_on(i, probe);
    use(&list);
}

const char *processor_unprobed(unsigned index)
{
    return unprobed[index];
}

uint32_t processor_found(unsigned number)
{
    return number < others.count ? others.id[number] : UINT32_MAX;
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

/* Skips those that did not start before. */
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
