/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points that the manual leaves open (rows of choices.def), and how this processor decides them.
 *
 * A test learns a choice the first time that it sees it ("# choice: wrap=lazy" in the log). If the
 * row is HELD, the processor is held to the choice from then on. The end of the log lists all
 * choices as traits: "# trait: wrap=lazy", or "# trait: wrap=unknown" with the reason.
 *
 * Each processor has its own choices. The functions mean those of the processor that runs the test.
 */
#ifndef TESTS_SPEC_CHOICES_CHOICES_H
#define TESTS_SPEC_CHOICES_CHOICES_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/spec/choices/choice_axes.h"

enum choice {
#define CHOICE(id, ...) CHOICE_##id,
#include "tests/spec/choices/choices.def"
#undef CHOICE
    CHOICE_COUNT,
};

/* VALUE_UNKNOWN, 0: not learnt yet. */
enum choice_value {
    VALUE_UNKNOWN,
#define WORD(id, word) VALUE_##id,
#include "tests/spec/choices/choices.def"
#undef WORD
    VALUE_COUNT,
};

/* A point on the row's two axes. */
struct choice_point {
    unsigned at[2];
};

/*
 * choice_of(CHOICE_WRAP), choice_of(CHOICE_CROSSING, CHOICE_OFF_OS, TRANSFER_IRET): the value
 * learnt. For a row that may have several values, the first of them in the order of the words.
 */
#define choice_of(choice, ...) choice_value_at(choice, (struct choice_point){{__VA_ARGS__}})

/*
 * choice_learn(t, CHOICE_FROM, VALUE_NEXT, kind): the processor has shown this value. A HELD row
 * keeps the first value; a different one later is a finding, and the function returns false. A
 * MOST row keeps the largest value, which is a number; other rows keep all. A kept value is
 * printed.
 */
#define choice_learn(t, choice, value, ...)                                                        \
    choice_learn_at(t, choice, value, (struct choice_point){{__VA_ARGS__}})

enum choice_value choice_value_at(enum choice choice, struct choice_point point);
bool choice_learn_at(struct test_context *t, enum choice choice, uint64_t value,
                     struct choice_point point);

/* Compares what two processors of one kind have shown: in HELD rows, and in SETTLED ones, which may
 * have several values and count once their test ran on both. Reports each point that the two decide
 * differently. Returns how many points both have shown. */
unsigned choices_compare(struct test_context *t, unsigned first, unsigned second);

/* The same for workers, which ran their tests in private images; NULL: processor 0 of this
 * image. */
struct worker;
unsigned choices_compare_workers(struct test_context *t, const struct worker *first,
                                 const struct worker *second);

/* Prints what a worker of another kind has shown that differs from processor 0 of this image, as
 * comments at the log's top level. */
void choices_print_differences(const struct worker *worker);

/* Prints every row, as comments at the log's top level. */
void choices_print(void);

#endif
