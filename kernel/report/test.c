/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/test.h"

#include "arch/lib/string.h"

const struct test *volatile running_test;

bool test_same_suite(const struct test *a, const struct test *b)
{
    return strcmp(a->suite, b->suite) == 0;
}

char *test_full_name(const struct test *test, char *text)
{
    format_string(text, TEST_NAME_SIZE, "%s.%s", test->suite, test->name);
    return text;
}

char *test_labelled_name(const struct test *test, const char *where, char *text)
{
    format_string(text, TEST_NAME_SIZE, "%s%s.%s", test->suite, where != NULL ? where : "",
                  test->name);
    return text;
}
