/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the findings of a kind say of themselves: where, and which values. */
#include "kernel/report/sums/sums.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define PLACES_SHOWN 2u
#define SMALL        0x10000u /* values up to here are told as pairs, bits of greater ones alone */

static void add_place(struct sums_seen *seen, const char *where, uint32_t times)
{
    for (size_t i = 0; i < SUMS_PLACES; i++) {
        struct sums_place *place = &seen->places[i];

        if (place->times == 0)
            format_string(place->where, sizeof(place->where), "%s", where);
        else if (strncmp(place->where, where, sizeof(place->where) - 1) != 0)
            continue;
        place->times += times;
        return;
    }
    seen->elsewhere += times;
}

static void add_values(struct sums_seen *to, const struct sums_seen *from)
{
    if (to->with_values == 0) {
        to->expected = from->expected;
        to->got = from->got;
        to->lost = from->lost;
        to->gained = from->gained;
    }
    to->is_alike = (to->with_values == 0 || to->is_alike) && from->is_alike &&
                   to->expected == from->expected && to->got == from->got;
    to->is_shifted = (to->with_values == 0 || to->is_shifted) && from->is_shifted &&
                     to->got - to->expected == from->got - from->expected;
    to->lost &= from->lost;
    to->gained &= from->gained;
    to->with_values += from->with_values;
}

void sums_see_again(struct sums_seen *to, const struct sums_seen *from)
{
    for (size_t i = 0; i < SUMS_PLACES && from->places[i].times > 0; i++)
        add_place(to, from->places[i].where, from->places[i].times);
    to->elsewhere += from->elsewhere;
    if (from->with_values > 0)
        add_values(to, from);
}

void sums_see(struct sums_seen *seen, const struct finding *finding)
{
    const struct sums_seen one = {
        .with_values = 1,
        .is_alike = true,
        .is_shifted = finding->expected < SMALL && finding->got < SMALL,
        .expected = finding->expected,
        .got = finding->got,
        .lost = finding->expected & ~finding->got,
        .gained = finding->got & ~finding->expected,
    };

    if (finding->where != NULL && !finding->is_of_transfer)
        add_place(seen, finding->where, 1);
    if (finding_has_values(finding))
        add_values(seen, &one);
}

/* ", at 'IA32_PERFEVTSEL0' x2 and 3 elsewhere" */
static void add_places(char *text, const struct sums_seen *seen)
{
    const char *between = ", at";
    uint32_t others = seen->elsewhere;

    for (size_t i = 0; i < SUMS_PLACES && seen->places[i].times > 0; i++) {
        const struct sums_place *place = &seen->places[i];

        if (i >= PLACES_SHOWN)
            others += place->times;
        else
            format_append(text, SUMS_LINE, "%s '%s' x%u", between, place->where, place->times);
        between = ",";
    }
    if (others > 0)
        format_append(text, SUMS_LINE, " and %u elsewhere", others);
}

/* ", all 3 too high" */
static void add_shift(char *text, const struct sums_seen *seen)
{
    bool is_high = seen->got > seen->expected;

    format_append(text, SUMS_LINE, ", all %lu too %s",
                  is_high ? seen->got - seen->expected : seen->expected - seen->got,
                  is_high ? "high" : "low");
}

/* ", all with bits 0x40 missing" */
static void add_bits(char *text, const struct sums_seen *seen)
{
    if (seen->lost == 0 && seen->gained == 0)
        return;
    format_append(text, SUMS_LINE, ", all with bits %#lx %s",
                  seen->lost != 0 ? seen->lost : seen->gained,
                  seen->lost != 0 ? "missing" : "too many");
}

void sums_say_seen(char text[SUMS_LINE], const struct sums_search *search)
{
    const struct sums_seen *seen = &search->in->seen[search->kind];

    add_places(text, seen);
    if (seen->with_values < 2 || seen->with_values < search->wrong)
        return;
    if (seen->is_alike && seen->expected < SMALL && seen->got < SMALL)
        format_append(text, SUMS_LINE, ", all %lu instead of %lu", seen->got, seen->expected);
    else if (search->kind == FINDING_MSR_VALUE)
        add_bits(text, seen);
    else if (seen->is_shifted)
        add_shift(text, seen);
}
