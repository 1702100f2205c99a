/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/walk_draw.h"

#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "arch/lib/printf.h"
#include "kernel/report/test.h"
#include "tests/walk/walk_workloads.h"

#define RECORD      (DEBUGCTL_TR | DEBUGCTL_BTS)
#define RECORD_SIZE 24u

bool walk_is_live(const struct walk_step *step)
{
    return step->kind >= WALK_DEBUGCTL;
}

/* --- one of each kind --- */

/* Where the threshold lies: a record's end, inside a record, at an odd byte, around the maximum. */
static uint64_t any_threshold(struct random_numbers *n, uint32_t records, uint32_t remainder)
{
    uint64_t maximum = records * RECORD_SIZE + remainder;

    switch (random_below(n, 9)) {
    case 0:
        return 0;
    case 1:
    case 2:
        return maximum;
    case 3:
        return maximum + 1;
    case 4:
        return maximum + RECORD_SIZE;
    case 5:
        return 1 + random_below(n, (uint32_t)maximum);
    default:
        return (uint64_t)random_below(n, records + 1) * RECORD_SIZE;
    }
}

static void draw_layout(struct walk_step *s, struct random_numbers *n)
{
    uint32_t records = 1 + random_below(n, random_percent(n, 30) ? WALK_RECORDS : 12);
    uint32_t remainder = 0;

    if (random_percent(n, 40))
        remainder = random_percent(n, 50) ? 1 : random_below(n, RECORD_SIZE);
    s->number[0] = random_below(n, 2);
    s->number[1] = records - 1;
    s->number[2] = remainder;
    s->number[3] = random_percent(n, 50) ? 0 : random_below(n, 64);
    s->number[4] = random_percent(n, 50) ? random_below(n, records) : 0;
    s->value = any_threshold(n, records, remainder);
}

static void draw_debugctl(struct walk_step *s, struct random_numbers *n)
{
    static const uint64_t bits[] = DEBUGCTL_OWN_BITS;

    s->value = random_percent(n, 60) ? RECORD : 0;
    for (size_t i = 0; i < COUNT_OF(bits); i++)
        if (random_percent(n, bits[i] == DEBUGCTL_BTINT ? 50 : 35))
            s->value ^= bits[i];
}

/* Events before the counter wraps; a few values come often, so that several wrap at once. */
static uint64_t any_distance(struct random_numbers *n)
{
    switch (random_below(n, 6)) {
    case 0:
        return 1ull << random_below(n, 40);
    case 1:
        return 1 + random_below(n, 300);
    case 2:
    case 3:
        return 8u << random_below(n, 3);
    default:
        return 1 + random_below(n, 40);
    }
}

static void draw_counter(struct walk_step *s, struct random_numbers *n)
{
    s->number[0] = random_below(n, WALK_COUNTERS);
    s->number[1] = random_below(n, 2); /* which event */
    s->number[2] = random_below(n, 8); /* COUNTER_… */
    s->number[3] = random_percent(n, 35) ? 1 + random_below(n, WALK_COUNTERS) : 0;
    s->value = any_distance(n);
}

/* Bits that the processor has not are left out when it is done. */
static uint64_t any_status(struct random_numbers *n)
{
    uint64_t bits = random_next(n);

    return random_percent(n, 30) ? ~0ull : bits;
}

static uint64_t any_control(struct random_numbers *n)
{
    return random_percent(n, 60) ? ~0ull : random_next(n);
}

static void draw_numbers(struct walk_step *s, struct random_numbers *n)
{
    switch (s->kind) {
    case WALK_LAYOUT:
        draw_layout(s, n);
        break;
    case WALK_INDEX:
        s->number[0] = random_percent(n, 50) ? 0 : random_below(n, WALK_RECORDS);
        break;
    case WALK_THRESHOLD: /* soon, so that a burst may end right there */
        s->value = random_below(n, 12) * RECORD_SIZE;
        if (random_percent(n, 40))
            s->value += random_below(n, RECORD_SIZE);
        break;
    case WALK_TAKE:
        s->number[0] = random_percent(n, 60);
        break;
    case WALK_SELECT:
        s->value = random_percent(n, 40) ? 0 : random_below(n, 512);
        break;
    case WALK_COUNTER:
        draw_counter(s, n);
        break;
    case WALK_PEBS:
    case WALK_CONTROL:
        s->value = any_control(n);
        break;
    case WALK_DEBUGCTL:
        draw_debugctl(s, n);
        break;
    case WALK_ACKNOWLEDGE:
    case WALK_STATUS_SET:
        s->value = any_status(n);
        break;
    case WALK_JUMPS:
        s->number[0] = random_below(n, random_percent(n, 40) ? WALK_PIECE_JUMPS : 12);
        s->number[1] = random_percent(n, 35);
        break;
    case WALK_PIECE:
        s->number[0] = random_below(n, 1024);
        break;
    default:
        break;
    }
}

/* --- which kind, and how often --- */

static const uint8_t shares[WALK_KINDS] = {
    [WALK_LAYOUT] = 9,  [WALK_AREA] = 4,        [WALK_INDEX] = 5,      [WALK_THRESHOLD] = 6,
    [WALK_SELECT] = 5,  [WALK_LBR_CLEAR] = 2,   [WALK_COUNTER] = 11,   [WALK_PEBS] = 2,
    [WALK_UNMASK] = 6,  [WALK_MASK] = 1,        [WALK_TAKE] = 6,       [WALK_DEBUGCTL] = 18,
    [WALK_CONTROL] = 7, [WALK_ACKNOWLEDGE] = 7, [WALK_STATUS_SET] = 2, [WALK_JUMPS] = 24,
    [WALK_PIECE] = 14,
};

static enum walk_kind any_kind(struct random_numbers *n)
{
    unsigned sum = 0, at, kind = 0;

    for (unsigned i = 0; i < WALK_KINDS; i++)
        sum += shares[i];
    for (at = random_below(n, sum); at >= shares[kind]; kind++)
        at -= shares[kind];
    return (enum walk_kind)kind;
}

void walk_draw(struct walk *walk, size_t count, struct random_numbers *numbers)
{
    walk->count = count < WALK_STEPS_MAX ? count : WALK_STEPS_MAX;
    for (size_t i = 0; i < walk->count; i++) {
        struct walk_step *s = &walk->steps[i];

        *s = (struct walk_step){.kind = any_kind(numbers)};
        s->joined = random_percent(numbers, 60);
        s->open = random_percent(numbers, 30);
        draw_numbers(s, numbers);
    }
}

/* --- text --- */

static const char *const formats[WALK_KINDS] = {
    [WALK_AREA] = "IA32_DS_AREA to the other area",
    [WALK_LBR_CLEAR] = "zeroes to the LBR stack",
    [WALK_UNMASK] = "LVT performance entry unmasked",
    [WALK_MASK] = "LVT performance entry masked",
    [WALK_CONTROL] = "IA32_PERF_GLOBAL_CTRL = 0x%lx",
    [WALK_ACKNOWLEDGE] = "IA32_PERF_GLOBAL_OVF_CTRL = 0x%lx",
    [WALK_STATUS_SET] = "IA32_PERF_GLOBAL_STATUS_SET = 0x%lx",
    [WALK_SELECT] = "MSR_LBR_SELECT = 0x%lx",
    [WALK_PEBS] = "IA32_PEBS_ENABLE = 0x%lx, of counters that are off",
    [WALK_THRESHOLD] = "threshold = index + %lu bytes",
};

static void format_layout(const struct walk_step *s, char *text, size_t size)
{
    format_string(text, size,
                  "area %u: maximum = base + %u records + %u bytes, threshold = base + %lu bytes, "
                  "index = base + %u records, place %u",
                  s->number[0], s->number[1] + 1, s->number[2], s->value, s->number[4],
                  s->number[3]);
}

static void format_counter(const struct walk_step *s, char *text, size_t size)
{
    char second[32] = "";

    if (s->number[3])
        format_string(second, sizeof second, " and counter %u", s->number[3]);
    format_string(text, size, "counter %u%s: event %u%s%s%s, %lu before zero", s->number[0], second,
                  s->number[1], s->number[2] & COUNTER_OS ? " OS" : "",
                  s->number[2] & COUNTER_USR ? " USR" : "",
                  s->number[2] & COUNTER_PMI ? " PMI" : "", s->value);
}

static void format_rest(const struct walk_step *s, char *text, size_t size)
{
    char names[160];

    switch (s->kind) {
    case WALK_LAYOUT:
        format_layout(s, text, size);
        break;
    case WALK_INDEX:
        format_string(text, size, "index = base + %u records", s->number[0]);
        break;
    case WALK_COUNTER:
        format_counter(s, text, size);
        break;
    case WALK_TAKE:
        format_string(text, size, "IF = 1 for a moment%s",
                      s->number[0] ? ", LVT performance entry unmasked" : "");
        break;
    case WALK_DEBUGCTL:
        format_string(text, size, "IA32_DEBUGCTL = %s",
                      debugctl_format(s->value, names, sizeof names));
        break;
    case WALK_JUMPS:
        format_string(text, size, "%u jumps in ring %u", s->number[0], s->number[1] ? 3 : 0);
        break;
    default:
        format_string(text, size, "workload %s", walk_workload(s->number[0])->name);
        break;
    }
}

char *walk_format(const struct walk_step *step, char *text, size_t size)
{
    int length = 0;

    if (walk_is_live(step))
        length = format_string(text, size, "%s%s", step->joined ? "and " : "",
                               step->open && !step->joined ? "IF = 1, " : "");
    if (formats[step->kind])
        format_string(text + length, size - (size_t)length, formats[step->kind], step->value);
    else
        format_rest(step, text + length, size - (size_t)length);
    return text;
}
