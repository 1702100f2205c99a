/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A test inside a subtest prints no line of its own; its result becomes the subtest's. */
#include "kernel/run/nested.h"

#include "tests/host/unit/sample_context.h"

static const struct test outer = {
    .suite = "outer", .name = "test", .claims = CLAIMS("ISR-4"), .needs = NEEDS()};
static const struct test inner = {
    .suite = "inner", .name = "test", .claims = CLAIMS("BTS-1", "BTS-2"), .needs = NEEDS()};

static const struct finding good, wrong = {.kind = FINDING_INDEX, .expected = 3, .got = 4};
static const struct finding known = {
    .kind = FINDING_RECORD_FROM, .expected = 5, .got = 3, .previous = 3};

/* Two subtests, the second with the finding. */
static void say(struct test_context *guest, const struct finding *finding)
{
    test_plan(guest, 2);
    test_begin(guest, "BTS-7", "first");
    test_end(guest);
    test_begin(guest, "BTS-8", "second");
    test_note(guest, "a note");
    if (finding != &good)
        test_find(guest, finding);
    test_end(guest);
}

static const char *run(const struct finding *finding)
{
    const char *reason;

    take_captured();
    context_start(t, &outer, 1, 1);
    context_repeat(t, 0);
    test_plan(t, 2);
    test_begin(t, "ISR-4", "guest");
    say(nested_begin(t, &inner), finding);
    reason = nested_end(t);
    CHECK(reason == NULL, "skipped: %s", reason);
    test_end(t);
    test_begin(t, "ISR-4", "after");
    test_end(t);
    context_close(t);
    return take_captured();
}

static void check_pass(void)
{
    CHECK_TEXT(run(&good), "    KTAP version 1\n    # Subtest: test\n    1..2\n    ok 1 guest\n"
                           "    ok 2 after\n");
    CHECK(!t->failed && t->broken.count == 0, "a pass");
    CHECK(t->checks == 0, "nothing was checked");
}

/* The claim of the guest's subtest, and neither all of the guest's nor the host's. */
static void check_failure(void)
{
    const char *log = run(&wrong);

    CHECK(strstr(log, "    # a note\n    # finding: index expected=0x3 got=0x4\n"
                      "    # that was subtest second\n    # that was test inner.test\n"
                      "    # breaks BTS-8\n    not ok 1 guest\n    ok 2 after\n") != NULL,
          "%s", log);
    CHECK(strstr(log, "ISR-4") == NULL && strstr(log, "first") == NULL, "%s", log);
    CHECK(t->failed && t->unexpected, "a failure");
    CHECK(t->checks == 1, "the guest's check is one of the host");
    CHECK_TEXT(t->first_finding, "index expected=0x3 got=0x4");
    CHECK(t->broken.count == 1 && strcmp(t->broken.ids[0], "BTS-8") == 0, "claims");
}

/* What an erratum explains there it explains here. */
static void check_erratum(void)
{
    static const struct cpu_identity haswell = {
        .vendor = "GenuineIntel", .family = 6, .model = 0x3c, .stepping = 3, .microcode = 0x20};
    const char *log;

    errata_select(&haswell);
    log = run(&known);
    errata_select(NULL);
    CHECK(strstr(log, "    ok 1 guest # XFAIL HSD53 x1\n    ok 2 after\n") != NULL, "%s", log);
    CHECK(t->failed && !t->unexpected && t->broken.count == 0, "an expected failure");
    CHECK_TEXT(t->first_finding, "");
}

static void check_skip(void)
{
    context_start(t, &outer, 1, 1);
    context_repeat(t, 0);
    test_plan(t, 1);
    test_begin(t, "ISR-4", "guest");
    test_skip(nested_begin(t, &inner), "no %s", "PEBS");
    CHECK_TEXT(nested_end(t), "no PEBS");
    test_end(t);
    context_close(t);
    CHECK(!t->failed && !t->sub.skipped, "the host decides what it means");
}

/* An unclosed subtest is the guest's fault, and the host's plan is kept. */
static void check_misuse(void)
{
    struct test_context *guest;

    context_start(t, &outer, 1, 1);
    context_repeat(t, 0);
    test_plan(t, 1);
    test_begin(t, "ISR-4", "guest");
    guest = nested_begin(t, &inner);
    test_plan(guest, 2);
    test_begin(guest, NULL, "open");
    nested_end(t);
    test_end(t);
    context_close(t);
    CHECK(t->failed && t->sub.run == 1, "%u", t->sub.run);
}

int main(void)
{
    check_pass();
    check_failure();
    check_erratum();
    check_skip();
    check_misuse();
    return check_result();
}
