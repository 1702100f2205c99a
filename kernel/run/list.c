/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/list.h"

#include "kernel/report/findings.h"
#include "kernel/report/ktap.h"
#include "kernel/run/needs.h"
#include "arch/lib/printf.h"

#define TEXT_SIZE 256u

static char *format_needs(const enum feature *needs, char *text)
{
    text[0] = '\0';
    for (; *needs != FEATURE_COUNT; needs++)
        format_append(text, TEXT_SIZE, " %s", feature_name(*needs));
    return text;
}

/* Prints what the runner would do: "run", or the reason for a skip. */
static void print_fate(const struct test *test)
{
    char reason[TEXT_SIZE];

    if (test_would_skip(test, reason, sizeof(reason)))
        ktap_comment(0, "    would skip: %s", reason);
}

static void print_test(const struct test *test)
{
    struct claim_set claims = {.count = 0};
    char name[TEST_NAME_SIZE];
    char text[TEXT_SIZE];

    claim_set_add_all(&claims, test->claims);
    ktap_comment(0, "%s%s", test_full_name(test, name),
                 test->only_when_named ? " (only when named)" : "");
    if (claims.count > 0)
        ktap_comment(0, "    claims:%s", claim_set_format(&claims, text, sizeof(text)));
    if (test->needs[0] != FEATURE_COUNT)
        ktap_comment(0, "    needs:%s", format_needs(test->needs, text));
    print_fate(test);
}

void list_tests(const struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        print_test(selection->tests[i]);
    ktap_plan_nothing("list only");
}
