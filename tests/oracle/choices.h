/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the manual leaves open, and how this processor decides it: the rows are in choices.def.
 *
 * A choice is learnt the first time that a test sees it, "# choice: wrap=lazy", and from then on
 * the processor is held to it. The end of the log has all of them once more, the processor's
 * traits: "# trait: wrap=lazy", or "# trait: wrap=unknown" and the reason.
 *
 * Each processor has its own; what is asked for and learnt is that of the one that runs the test.
 */
#ifndef TESTS_ORACLE_CHOICES_H
#define TESTS_ORACLE_CHOICES_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/oracle/choice_axes.h"

enum choice {
#define CHOICE(id, ...) CHOICE_##id,
#include "tests/oracle/choices.def"
#undef CHOICE
    CHOICE_COUNT,
};

/* VALUE_UNKNOWN, 0: not seen yet. */
enum choice_value {
    VALUE_UNKNOWN,
#define WORD(id, word) VALUE_##id,
#include "tests/oracle/choices.def"
#undef WORD
    VALUE_COUNT,
};

/* Where on the row's two axes. */
struct choice_point {
    unsigned at[2];
};

/*
 * choice_of(CHOICE_WRAP), choice_of(CHOICE_CROSSING, CHOICE_OFF_OS, TRANSFER_IRET): what is known.
 * Of a row that may have several values, the first in the order of the words.
 */
#define choice_of(choice, ...) choice_value_at(choice, (struct choice_point){{__VA_ARGS__}})

/*
 * The processor has shown this value: choice_learn(t, CHOICE_FROM, VALUE_NEXT, kind). The first is
 * printed and kept. Where the row is HELD another one later fails the test; returns whether it is
 * the same. Where the row is MOST the value is a number.
 */
#define choice_learn(t, choice, value, ...)                                                        \
    choice_learn_at(t, choice, value, (struct choice_point){{__VA_ARGS__}})

enum choice_value choice_value_at(enum choice choice, struct choice_point point);
bool choice_learn_at(struct test_context *t, enum choice choice, uint64_t value,
                     struct choice_point point);

/* "old" */
const char *choice_word(enum choice_value value);

/* What two processors of one kind have shown, held to each other: each open point that both decide
 * always alike, and otherwise than the other; of what may show several values once the test of the
 * row was executed on both. Returns how many both have shown. */
unsigned choices_compare(struct test_context *t, unsigned first, unsigned second);

/* The same of two that ran their tests in worlds of their own; NULL: of this one. */
struct member;
unsigned choices_compare_members(struct test_context *t, const struct member *first,
                                 const struct member *second);

/* What one of another kind has shown otherwise than this one, as comments at the log's top level.
 */
void choices_print_differences(const struct member *member);

/* Every row, as comments at the log's top level. */
void choices_print(void);

#endif
