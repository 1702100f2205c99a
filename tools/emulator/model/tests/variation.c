// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of variations: every value goes in and out as text, anything else is refused. */
#include "debug_store.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static void choices_round_trip(void)
{
    for (size_t i = 0; i < ds_variation_count; i++) {
        const struct ds_variation_info *info = &ds_variations[i];
        for (unsigned j = 0; info->choices && info->choices[j]; j++) {
            struct ds_variation variation = {0};
            char text[16];
            CHECK(ds_variation_set(&variation, info->name, info->choices[j]) == NULL);
            ds_variation_get(&variation, info, text, sizeof(text));
            CHECK(strcmp(text, info->choices[j]) == 0);
        }
    }
}

static void numbers_round_trip(void)
{
    for (size_t i = 0; i < ds_variation_count; i++) {
        const struct ds_variation_info *info = &ds_variations[i];
        for (uint32_t value = 0; !info->choices && value <= info->maximum; value++) {
            struct ds_variation variation = {0};
            char in[16], out[16];
            snprintf(in, sizeof(in), "%u", value);
            CHECK(ds_variation_set(&variation, info->name, in) == NULL);
            ds_variation_get(&variation, info, out, sizeof(out));
            CHECK(strcmp(in, out) == 0);
        }
    }
}

static void each_has_its_own_field(void)
{
    for (size_t i = 0; i < ds_variation_count; i++) {
        const struct ds_variation_info *info = &ds_variations[i];
        struct ds_variation variation = {0};
        uint32_t fields[sizeof(variation) / sizeof(uint32_t)];
        CHECK(ds_variation_set(&variation, info->name, info->choices ? info->choices[1] : "1") ==
              NULL);
        memcpy(fields, &variation, sizeof(fields));
        for (size_t j = 0; j < sizeof(fields) / sizeof(fields[0]); j++) {
            CHECK_EQUAL(fields[j], j * sizeof(uint32_t) == info->offset);
        }
    }
    CHECK_EQUAL(ds_variation_count, sizeof(struct ds_variation) / sizeof(uint32_t));
}

static void bad_values_are_refused(void)
{
    struct ds_variation variation = {.pmi_late = 3, .wrap = DS_WRAP_EAGER};

    CHECK(ds_variation_set(&variation, "no-such", "on") != NULL);
    CHECK(ds_variation_set(&variation, "wrap", "sometimes") != NULL);
    CHECK(ds_variation_set(&variation, "pmi-late", "") != NULL);
    CHECK(ds_variation_set(&variation, "pmi-late", "-1") != NULL);
    CHECK(ds_variation_set(&variation, "pmi-late", "1x") != NULL);
    CHECK(ds_variation_set(&variation, "pmi-late", "65") != NULL);
    CHECK(ds_variation_set(&variation, "pmi-late", "18446744073709551616") != NULL);
    CHECK_EQUAL(variation.pmi_late, 3);
    CHECK_EQUAL(variation.wrap, DS_WRAP_EAGER);
}

static void text_is_cut_at_size(void)
{
    struct ds_variation variation = {.wrap = DS_WRAP_EAGER};
    char text[8] = "1234567";

    for (size_t i = 0; i < ds_variation_count; i++) {
        if (strcmp(ds_variations[i].name, "wrap") == 0) {
            ds_variation_get(&variation, &ds_variations[i], text, 4);
        }
    }
    CHECK(strcmp(text, "eag") == 0);
    CHECK_EQUAL(text[4], '5');
}

const struct test variation_tests[] = {
    {"variation: choices round trip", choices_round_trip},
    {"variation: numbers round trip", numbers_round_trip},
    {"variation: each has its own field", each_has_its_own_field},
    {"variation: bad values are refused", bad_values_are_refused},
    {"variation: text is cut at size", text_is_cut_at_size},
    {0},
};
