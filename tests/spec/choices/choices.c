/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/choices.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/percpu.h"
#include "kernel/run/workers.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/cpu_label.h"
#include "arch/lib/printf.h"

#define NAME_SIZE   96u
#define VALUE_SIZE  128u
#define LINE_SIZE   400u
#define LONG_LINE   120u /* characters; the points of a value then go on in another line */
#define REASON_SIZE 160u

enum how { HELD, FREE, SETTLED, MOST };

struct row {
    const char *name;
    enum how how;
    unsigned slot; /* of its first point */
    enum choice_axis axes[2];
    uint64_t values; /* a bit for each that it may have */
    const char *test, *claim, *fact;
};

#define BIT(id)                     (1ull << VALUE_##id)
#define BITS_1(a)                   BIT(a)
#define BITS_2(a, b)                (BIT(a) | BIT(b))
#define BITS_3(a, b, c)             (BITS_2(a, b) | BIT(c))
#define BITS_4(a, b, c, d)          (BITS_2(a, b) | BITS_2(c, d))
#define PICK(a, b, c, d, pick, ...) pick
#define VALUES(...)                 PICK(__VA_ARGS__, BITS_4, BITS_3, BITS_2, BITS_1, )(__VA_ARGS__)
#define ANY_NUMBER                  0

_Static_assert(VALUE_COUNT <= 64, "a bit for each value");

enum slot {
#define CHOICE(id, name, how, first, second, ...)                                                  \
    SLOT_##id, SLOT_##id##_LAST = SLOT_##id + AXIS_##first##_POINTS * AXIS_##second##_POINTS - 1,
#include "tests/spec/choices/choices.def"
#undef CHOICE
    SLOTS,
};

static const struct row rows[CHOICE_COUNT] = {
#define CHOICE(id, name, how, first, second, values, test, claim, fact)                            \
    {name, how, SLOT_##id, {AXIS_##first, AXIS_##second}, values, test, claim, fact},
#include "tests/spec/choices/choices.def"
#undef CHOICE
};

static const char *const words[VALUE_COUNT] = {
    "unknown",
#define WORD(id, word) word,
#include "tests/spec/choices/choices.def"
#undef WORD
};

/* Bits of the values seen; MOST: the number and one. 0: nothing yet. */
static uint64_t seen[PROCESSORS_MAX][SLOTS];
LEARNED_STATE(seen);

static uint64_t *slot_of(const struct row *row, struct choice_point point)
{
    unsigned number = point.at[0] * choice_axis_points(row->axes[1]) + point.at[1];

    return &seen[features_slot()][row->slot + number];
}

static enum choice_value first_of(uint64_t values)
{
    return values ? (enum choice_value)__builtin_ctzll(values) : VALUE_UNKNOWN;
}

enum choice_value choice_value_at(enum choice choice, struct choice_point point)
{
    return first_of(*slot_of(&rows[choice], point));
}

static unsigned points_of(const struct row *row)
{
    return choice_axis_points(row->axes[0]) * choice_axis_points(row->axes[1]);
}

static struct choice_point point_number(const struct row *row, unsigned number)
{
    unsigned second = choice_axis_points(row->axes[1]);

    return (struct choice_point){{number / second, number % second}};
}

/* "crossing[off-os,iret]", without the name "[off-os,iret]", "" where there is no axis. */
static char *format_point(const struct row *row, struct choice_point point, char *text)
{
    char names[2][NAME_SIZE / 2];

    if (row->axes[0] == AXIS_ONE) {
        text[0] = '\0';
        return text;
    }
    for (unsigned i = 0; i < 2; i++)
        choice_axis_name(row->axes[i], point.at[i], names[i], sizeof names[i]);
    format_string(text, NAME_SIZE, "[%s%s%s]", names[0], names[1][0] ? "," : "", names[1]);
    return text;
}

/* "no", "no|yes" */
static char *format_values(const struct row *row, uint64_t values, char *text)
{
    size_t length = 0;

    if (row->how == MOST) {
        format_string(text, VALUE_SIZE, "%lu", values - 1);
        return text;
    }
    for (; values; values &= values - 1)
        length += format_string(text + length, VALUE_SIZE - length, "%s%s", length ? "|" : "",
                                words[first_of(values)]);
    return text;
}

static void print_learnt(struct test_context *t, const struct row *row, struct choice_point point,
                         uint64_t value)
{
    char name[NAME_SIZE], text[VALUE_SIZE];

    test_choice(t, "%s%s=%s", row->name, format_point(row, point, name),
                format_values(row, value, text));
}

static bool learn_number(struct test_context *t, const struct row *row, struct choice_point point,
                         uint64_t number)
{
    uint64_t *slot = slot_of(row, point);

    if (number + 1 > *slot) {
        *slot = number + 1;
        print_learnt(t, row, point, *slot);
    }
    return true;
}

static bool fail_differing(struct test_context *t, const struct row *row, struct choice_point point,
                           uint64_t before, uint64_t now)
{
    char name[NAME_SIZE], old[VALUE_SIZE], new[VALUE_SIZE];

    FIND(t, CHOICE, "choice %s%s: %s, although it was %s before", row->name,
         format_point(row, point, name), format_values(row, now, new),
         format_values(row, before, old));
    test_note(t, "open for %s is %s", row->claim, row->fact);
    return false;
}

/* A processor, and what it has shown. */
struct side {
    unsigned processor;
    const uint64_t *slots;
};

/* Two of one kind decide alike (MP-1). */
static bool twins_agree(struct test_context *t, const struct row *row, unsigned number,
                        const struct side twins[2])
{
    const uint64_t values[] = {twins[0].slots[row->slot + number],
                               twins[1].slots[row->slot + number]};
    char name[NAME_SIZE], first[VALUE_SIZE], second[VALUE_SIZE];

    if (values[0] == values[1])
        return true;
    FIND(t, TRAIT_DIFFERS, "choice %s%s: %s on processor %u, although %s on processor %u",
         row->name, format_point(row, point_number(row, number), name),
         format_values(row, values[1], second), twins[1].processor,
         format_values(row, values[0], first), twins[0].processor);
    test_breaks(t, "MP-1");
    test_note(t, "both are of one kind; open for %s is %s", row->claim, row->fact);
    return false;
}

static bool both_show(const struct row *row, unsigned number, const struct side sides[2])
{
    return sides[0].slots[row->slot + number] && sides[1].slots[row->slot + number];
}

static struct side side_of(unsigned processor)
{
    return (struct side){processor, seen[processor]};
}

/* The first of them that differs is enough. */
static void compare_with_twins(struct test_context *t, const struct row *row, unsigned number)
{
    for (unsigned i = 0; i < PROCESSORS_MAX; i++) {
        const struct side twins[] = {side_of(i), side_of(features_slot())};

        if (i != features_slot() && row->how == HELD && both_show(row, number, twins) &&
            identity_same_kind(features_identity(i), &cpu_features()->identity) &&
            !twins_agree(t, row, number, twins))
            return;
    }
}

static unsigned compare_row(struct test_context *t, const struct row *row,
                            const struct side twins[2])
{
    unsigned compared = 0;

    for (unsigned number = 0; number < points_of(row); number++)
        if (both_show(row, number, twins)) {
            twins_agree(t, row, number, twins);
            compared++;
        }
    return compared;
}

static unsigned compare_rows(struct test_context *t, const struct side twins[2])
{
    unsigned compared = 0;

    for (size_t i = 0; i < CHOICE_COUNT; i++)
        if (rows[i].how == HELD || rows[i].how == SETTLED)
            compared += compare_row(t, &rows[i], twins);
    return compared;
}

unsigned choices_compare(struct test_context *t, unsigned first, unsigned second)
{
    const struct side twins[] = {side_of(first), side_of(second)};

    return compare_rows(t, twins);
}

/* --- in other private images --- */

static struct side side_there(const struct worker *worker, uint64_t copy[SLOTS])
{
    if (!worker)
        return side_of(0);
    if (!worker_read(worker, seen[0], copy, sizeof seen[0]))
        for (unsigned i = 0; i < SLOTS; i++)
            copy[i] = 0;
    return (struct side){worker->number, copy};
}

unsigned choices_compare_workers(struct test_context *t, const struct worker *first,
                                 const struct worker *second)
{
    static uint64_t copies[2][SLOTS];
    const struct side twins[] = {side_there(first, copies[0]), side_there(second, copies[1])};

    return compare_rows(t, twins);
}

static void print_difference(const struct row *row, unsigned number, const struct side sides[2],
                             const char *there)
{
    char name[NAME_SIZE], here[VALUE_SIZE], other[VALUE_SIZE];

    ktap_comment(0, "trait%s differs from %s, another kind: %s%s=%s, not %s", there,
                 cpu_label_name(), row->name, format_point(row, point_number(row, number), name),
                 format_values(row, sides[1].slots[row->slot + number], other),
                 format_values(row, sides[0].slots[row->slot + number], here));
}

void choices_print_differences(const struct worker *worker)
{
    static uint64_t copy[SLOTS];
    const struct side sides[] = {side_of(0), side_there(worker, copy)};
    char there[WORKER_SUFFIX_SIZE];

    worker_suffix(worker, there);
    for (const struct row *row = rows; row < rows + CHOICE_COUNT; row++)
        for (unsigned number = 0; number < points_of(row); number++)
            if (both_show(row, number, sides) &&
                sides[0].slots[row->slot + number] != sides[1].slots[row->slot + number])
                print_difference(row, number, sides, there);
}

bool choice_learn_at(struct test_context *t, enum choice choice, uint64_t value,
                     struct choice_point point)
{
    const struct row *row = &rows[choice];
    uint64_t *slot = slot_of(row, point), bit;

    test_checked(t);
    if (row->how == MOST)
        return learn_number(t, row, point, value);
    bit = 1ull << value;
    if (*slot & bit)
        return true;
    if (*slot && row->how == HELD)
        return fail_differing(t, row, point, *slot, bit);
    EXPECT(t, SETUP, row->values & bit, "test bug: choice %s cannot be %s", row->name,
           words[value]);
    *slot |= bit;
    print_learnt(t, row, point, bit);
    compare_with_twins(t, row, (unsigned)(slot - &seen[features_slot()][row->slot]));
    return true;
}

/* --- the processor's traits --- */

/* The points that have these values, as many lines as it takes. */
static void print_points(const struct row *row, const uint64_t *slots, unsigned first)
{
    char line[LINE_SIZE], name[NAME_SIZE], text[VALUE_SIZE];
    size_t length = 0;

    format_values(row, slots[first], text);
    for (unsigned i = first; i < points_of(row); i++) {
        if (slots[i] != slots[first])
            continue;
        if (length > LONG_LINE) {
            ktap_comment(0, "%s", line);
            length = 0;
        }
        if (!length)
            length = format_string(line, sizeof line, "trait%s: %s=%s", cpu_label_suffix(),
                                   row->name, text);
        format_point(row, point_number(row, i), name);
        length +=
            format_string(line + length, sizeof line - length, "%s%s", name[0] ? " " : "", name);
    }
    ktap_comment(0, "%s", line);
}

static bool is_first_of_its_values(const uint64_t *slots, unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        if (slots[i] == slots[number])
            return false;
    return true;
}

static void print_row(const struct row *row, const uint64_t *slots)
{
    char reason[REASON_SIZE];
    bool known = false;

    for (unsigned i = 0; i < points_of(row); i++) {
        if (!slots[i] || !is_first_of_its_values(slots, i))
            continue;
        print_points(row, slots, i);
        known = true;
    }
    if (!known)
        ktap_comment(0, "trait%s: %s=unknown (%s)", cpu_label_suffix(), row->name,
                     test_why_unseen(row->test, reason, sizeof reason));
}

void choices_print(void)
{
    for (size_t i = 0; i < CHOICE_COUNT; i++)
        print_row(&rows[i], &seen[features_slot()][rows[i].slot]);
}

REPORT(choices, choices_print);
