/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/dry_run.h"
#include "arch/cpu/apic/apic.h"
#include "arch/lib/printf.h"
#include "arch/trace/features.h"
#include "kernel/machine/power.h"
#include "kernel/report/coverage.h"
#include "kernel/report/ktap.h"
#include "kernel/run/plan.h"

#define REASON_SIZE 256u

void dry_run_begin(void)
{
    trace_features_only_read();
    apic_leave_pmi_alone();
}

/* Would the test begin? It may still skip later. */
static bool would_run(const struct test *test)
{
    char name[TEST_NAME_SIZE], reason[REASON_SIZE];

    test_full_name(test, name);
    if (!test_would_skip(test, reason, sizeof(reason))) {
        ktap_comment(0, "would run: %s", name);
        coverage_note(test, NULL, COVERAGE_CHECKED, NULL);
        return true;
    }
    ktap_comment(0, "would skip: %s: %s", name, reason);
    coverage_note(test, NULL, COVERAGE_SKIPPED, reason);
    return false;
}

/* A dry run starts no other processor, so their kinds are unknown. */
static void print_kinds_left_out(void)
{
    if (identity_is_hybrid())
        ktap_comment(0,
                     "other kinds of core (CPUID.07H:EDX[15] = 1): not asked what they have, and "
                     "so not told of here");
}

static void print_claims(void)
{
    struct coverage_claim claim;
    char text[COVERAGE_LINE_SIZE];
    unsigned claims = 0, reached = 0;

    for (; coverage_claim(claims, &claim); claims++)
        reached += claim.state != COVERAGE_NONE;
    ktap_comment(0, "would be checked: %u of %u claims at most", reached, claims);
    for (size_t i = 0; coverage_group(COVERAGE_NONE, i, text); i++)
        ktap_comment(0, "would not be checked: %s", text);
}

void dry_run_plan(const struct selection *chosen)
{
    size_t running = 0;

    power_without_smi();
    for (size_t i = 0; i < chosen->count; i++)
        running += would_run(chosen->tests[i]);
    print_kinds_left_out();
    print_claims();
    ktap_comment(0, "dry run: at most %zu of %zu tests would run; nothing was tested", running,
                 chosen->count);
    ktap_plan_nothing("dry run");
}

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
