// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of errata, its text form, and which of them a processor has. */
#include "errata.h"

#include <string.h>

#include "number.h"

#define BARE(...) __VA_ARGS__ /* of a list in parentheses */

const struct ds_erratum_info ds_errata[] = {
#define ERRATUM(name, further, effect, period, models, microcode)                                  \
    {name,   further, (const uint8_t[])BARE models,                                                \
     effect, period,  (const struct ds_microcode[])BARE microcode},
#include "faults/fault_list.h"
};

#define ROWS (sizeof(ds_errata) / sizeof(ds_errata[0]))

const size_t ds_errata_count = ROWS;

_Static_assert(ROWS <= DS_ERRATA_MAX, "a processor has room for every erratum");

#define ONLY_NAME "own"

static bool is_of_model(const struct ds_erratum_info *info, const struct ds_profile *profile)
{
    const uint8_t *model = info->models;

    while (*model && *model != profile->model) {
        model++;
    }
    return profile->family == 6 && *model;
}

/* Whether its microcode mends the erratum. */
static bool is_mended(const struct ds_erratum_info *info, const struct ds_profile *profile)
{
    for (const struct ds_microcode *one = info->mended_by; one->model; one++) {
        if (one->model == profile->model && one->stepping == profile->stepping) {
            return profile->microcode >= one->revision;
        }
    }
    return false;
}

bool ds_erratum_applies(const struct ds_erratum_info *info, const struct ds_profile *profile)
{
    return is_of_model(info, profile) && !is_mended(info, profile) &&
           ds_fault_applies(&ds_faults[info->effect], profile);
}

/* Whether the length characters of name are one of the words of names, which blanks separate. */
static bool is_among(const char *names, const char *name, size_t length)
{
    while (*names) {
        size_t word = strcspn(names, " ");

        if (word == length && memcmp(names, name, length) == 0) {
            return true;
        }
        names += word + strspn(names + word, " ");
    }
    return false;
}

static size_t find(const char *name, size_t length)
{
    size_t row = 0;

    while (row < ROWS && !is_among(ds_errata[row].name, name, length) &&
           !is_among(ds_errata[row].further, name, length)) {
        row++;
    }
    return row;
}

/* 'own', NAME or NAME:1/N, length characters of it. */
static const char *set_one(void *opaque, const char *text, size_t length)
{
    struct ds_errata_settings *settings = opaque;
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) : length;
    size_t row = find(text, name);

    if (is_among(ONLY_NAME, text, length)) {
        settings->own = true;
        return NULL;
    }
    if (row == ROWS) {
        return "no erratum has this name";
    }
    settings->asked[row] = ds_errata[row].period;
    if (colon && !number_parse_chance(colon + 1, length - name - 1, &settings->asked[row])) {
        return NUMBER_CHANCE_WRONG;
    }
    return NULL;
}

const char *ds_errata_set(struct ds_errata_settings *settings, const char *text)
{
    struct ds_errata_settings fresh = {0};
    const char *wrong = number_each_name(text, set_one, &fresh);

    if (!wrong) {
        *settings = fresh;
    }
    return wrong;
}

static void frequent_wins(uint32_t *period, uint32_t other)
{
    *period = *period == 0 || other < *period ? other : *period;
}

/* A fault that was asked for by its own name stays as often as that. */
static void turn_on(struct ds_cpu *cpu, unsigned effect, uint32_t period)
{
    frequent_wins(&cpu->faults.period[effect], period);
    cpu->faults.some = true;
}

const char *ds_errata_settle(struct ds_cpu *cpu)
{
    const struct ds_errata_settings *settings = &cpu->errata;

    for (size_t row = 0; row < ROWS; row++) {
        const struct ds_erratum_info *info = &ds_errata[row];
        bool applies = ds_erratum_applies(info, &cpu->profile);

        if (settings->asked[row] && !applies) {
            return info->name;
        }
        if (settings->asked[row] || (settings->own && applies)) {
            turn_on(cpu, info->effect, settings->asked[row] ? settings->asked[row] : info->period);
        }
    }
    return NULL;
}
