/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the reference of a BTS buffer go by the manual's arithmetic? Worked by hand, one row each.
 */
#include "tests/oracle/buffer_model.h"

#include "tests/host/unit/check.h"

#define FITS    VALUE_FITS
#define BELOW   VALUE_INDEX_BELOW
#define STRICT  VALUE_FITS_STRICTLY
#define DROPS   VALUE_DROPS
#define WRAPS   VALUE_WRAPS
#define NOT_DUE INTERRUPT_NOT_DUE
#define DUE     INTERRUPT_DUE
#define OPEN    INTERRUPT_OPEN

static const struct {
    const char *what;
    size_t index, maximum, threshold;
    bool circular;
    enum choice_value limit, full;
    size_t transfers;
    size_t last_at, end, stored, first_intact;
    enum interrupt_due due;
} cases[] = {
    {"room left", 0, 72, 100, true, FITS, DROPS, 2, 24, 48, 2, 0, NOT_DUE},
    {"a lap", 0, 72, 100, true, FITS, DROPS, 4, 0, 24, 4, 1, NOT_DUE},
    {"a lap of the smallest reading", 0, 72, 100, true, STRICT, DROPS, 3, 0, 24, 3, 1, NOT_DUE},
    {"one byte more", 0, 73, 100, true, STRICT, DROPS, 3, 48, 72, 3, 0, NOT_DUE},
    {"one byte more, across", 0, 73, 200, true, BELOW, DROPS, 4, 72, 96, 4, 0, NOT_DUE},
    {"from the middle", 24, 72, 100, true, FITS, DROPS, 3, 0, 24, 3, 0, NOT_DUE},
    {"between two records", 8, 72, 100, true, FITS, DROPS, 3, 0, 24, 3, 1, NOT_DUE},
    {"a rest is no room", 0, 90, 100, true, FITS, DROPS, 4, 0, 24, 4, 1, NOT_DUE},
    {"a rest is room", 0, 90, 200, true, BELOW, DROPS, 4, 72, 96, 4, 0, NOT_DUE},
    {"threshold in a circle", 0, 72, 24, true, FITS, DROPS, 1, 0, 24, 1, 0, OPEN},
    {"threshold met", 0, 72, 24, false, FITS, DROPS, 1, 0, 24, 1, 0, DUE},
    {"one record before it", 0, 72, 48, false, FITS, DROPS, 1, 0, 24, 1, 0, NOT_DUE},
    {"inside a record", 0, 96, 25, false, FITS, DROPS, 1, 0, 24, 1, 0, NOT_DUE},
    {"behind the inside", 0, 96, 25, false, FITS, DROPS, 2, 24, 48, 2, 0, DUE},
    {"at the base", 0, 72, 0, false, FITS, DROPS, 1, 0, 24, 1, 0, DUE},
    {"below the index", 48, 120, 24, false, FITS, DROPS, 1, 48, 72, 1, 0, DUE},
    {"at the end", 0, 48, 48, false, FITS, DROPS, 2, 24, 48, 2, 0, DUE},
    {"at the end that wraps", 0, 48, 48, false, FITS, WRAPS, 2, 24, 48, 2, 0, OPEN},
    {"never at the end", 0, 48, 48, false, STRICT, DROPS, 2, 0, 24, 1, 0, OPEN},
    {"above the end", 0, 48, 49, false, FITS, DROPS, 5, 24, 48, 2, 0, NOT_DUE},
    {"full and dropped", 0, 48, 72, false, FITS, DROPS, 5, 24, 48, 2, 0, NOT_DUE},
    {"full and wrapped", 0, 48, 72, false, FITS, WRAPS, 3, 0, 24, 3, 1, NOT_DUE},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buffer_model model = {.index = cases[i].index,
                                     .maximum = cases[i].maximum,
                                     .threshold = cases[i].threshold,
                                     .circular = cases[i].circular,
                                     .limit = cases[i].limit,
                                     .full = cases[i].full};

        for (size_t n = 0; n < cases[i].transfers; n++)
            buffer_model_store(&model);
        CHECK(model.at[model.stored - 1] == cases[i].last_at, "%s: the last went to %zu",
              cases[i].what, model.at[model.stored - 1]);
        CHECK(model.index == cases[i].end, "%s: index %zu", cases[i].what, model.index);
        CHECK(model.stored == cases[i].stored, "%s: %zu stored", cases[i].what, model.stored);
        CHECK(buffer_model_first_intact(&model) == cases[i].first_intact, "%s: intact from %zu",
              cases[i].what, buffer_model_first_intact(&model));
        CHECK(buffer_model_interrupt(&model) == cases[i].due, "%s: interrupt %u", cases[i].what,
              buffer_model_interrupt(&model));
        CHECK(buffer_model_covers(&model, cases[i].last_at + 23) &&
                  !buffer_model_covers(&model, 2 * cases[i].maximum),
              "%s: what is covered", cases[i].what);
    }
    return check_result();
}
