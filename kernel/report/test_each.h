/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One subtest for each row of a table, planned, opened and closed; the body is a statement, which
 * `continue` ends early, and nothing else does. The name may use the row.
 *
 *     TEST_EACH(t, row, cases, row->claim, "%s", row->name)
 *         check(t, row->transfers);
 */
#ifndef KERNEL_REPORT_TEST_EACH_H
#define KERNEL_REPORT_TEST_EACH_H

#define COUNT_OF(table) (sizeof(table) / sizeof(table)[0])

/* The rows from first up to end. */
#define TEST_EACH_OF(t, row, first, end, claim, ...)                                               \
    for (__auto_type row = (test_plan(t, (unsigned)((end) - (first))), (first));                   \
         row < (end) && (test_begin(t, claim, __VA_ARGS__), true); test_end(t), row++)

#define TEST_EACH(t, row, table, claim, ...)                                                       \
    TEST_EACH_OF(t, row, table, (table) + COUNT_OF(table), claim, __VA_ARGS__)

/* How many rows from first up to end the condition holds for. */
#define TEST_ROWS(row, first, end, condition)                                                      \
    ({                                                                                             \
        unsigned test_rows = 0;                                                                    \
        for (__auto_type row = (first); row < (end); row++)                                        \
            test_rows += !!(condition);                                                            \
        test_rows;                                                                                 \
    })

/* The rows, or numbers, from first up to end for which the condition holds. */
#define TEST_EACH_WHERE(t, row, first, end, condition, claim, ...)                                 \
    for (__auto_type row = (test_plan(t, TEST_ROWS(row, first, end, condition)), (first));         \
         row < (end); row++)                                                                       \
        for (bool test_opens = (condition);                                                        \
             test_opens && (test_begin(t, claim, __VA_ARGS__), true);                              \
             test_end(t), test_opens = false)

/* The numbers from first up to end - 1. */
#define TEST_NUMBERS(t, number, first, end, claim, ...)                                            \
    for (unsigned number = (test_plan(t, (unsigned)(end) - (first)), (first));                     \
         number < (end) && (test_begin(t, claim, __VA_ARGS__), true); test_end(t), number++)

#endif
