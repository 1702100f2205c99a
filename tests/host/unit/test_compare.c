/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
/* sources: tests/oracle/compare.c tests/oracle/align.c tests/workloads/workload.c arch/lib/printf.c */
/* clang-format on */
/* What a record teaches of an open reading, where an erratum may have spoilt it. */
#include "tests/oracle/compare.h"

#include "arch/trace/debugctl.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"
#include "tests/oracle/transfer_choices.h"

#define FILTERED (uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_OS)

static bool explains; /* an erratum, whatever is found */
static unsigned found, learnt;
static uint64_t learnt_debugctl;
static bool learnt_stored;

bool test_find(struct test_context *t, const struct finding *finding)
{
    (void)t, (void)finding;
    found++;
    return explains;
}

void test_note(struct test_context *t, const char *format, ...)
{
    (void)t, (void)format;
}

void test_breaks(struct test_context *t, const char *claim)
{
    (void)t, (void)claim;
}

void test_compared(struct test_context *t, uint64_t count)
{
    (void)t, (void)count;
}

bool choice_learn_at(struct test_context *t, enum choice choice, uint64_t value,
                     struct choice_point point)
{
    (void)t, (void)choice, (void)value, (void)point;
    return true;
}

enum choice_value from_choice(enum choice choice, uint32_t kind)
{
    (void)choice, (void)kind;
    return VALUE_INSTRUCTION;
}

enum choice_value stored_choice(uint64_t debugctl, uint32_t kind)
{
    CHECK(debugctl == FILTERED && kind == TRANSFER_SYSCALL, "asked under %#lx", (long)debugctl);
    return VALUE_UNKNOWN;
}

void stored_choice_learn(struct test_context *t, uint64_t debugctl, uint32_t kind, bool stored)
{
    (void)t;
    CHECK(kind == TRANSFER_SYSCALL, "kind %u", kind);
    learnt++;
    learnt_debugctl = debugctl;
    learnt_stored = stored;
}

/* A jump, a SYSCALL whose record is open, a jump. */
static struct expected expected = {
    .count = 3,
    .records = {{.transfer = {.kind = TRANSFER_JMP, .from = 0x10, .to = 0x20}},
                {.transfer = {.kind = TRANSFER_SYSCALL, .from = 0x30, .to = 0x40}, .open = true},
                {.transfer = {.kind = TRANSFER_JMP, .from = 0x50, .to = 0x60}}},
};

static const struct bts_record whole[] = {{0x10, 0x20, 0}, {0x30, 0x40, 0}, {0x50, 0x60, 0}};
static const struct bts_record old_from[] = {{0x10, 0x20, 0}, {0x10, 0x40, 0}, {0x50, 0x60, 0}};
static const struct bts_record other_to[] = {{0x10, 0x20, 0}, {0x30, 0x4f, 0}, {0x50, 0x60, 0}};
static const struct bts_record without[] = {{0x10, 0x20, 0}, {0x50, 0x60, 0}};

static void start(bool erratum)
{
    explains = erratum;
    found = learnt = 0;
}

static void check_learnt(const char *what, unsigned findings, bool stored)
{
    CHECK(found == findings, "%s: %u findings", what, found);
    CHECK(learnt == 1 && learnt_stored == stored && learnt_debugctl == FILTERED,
          "%s: learnt %u times, stored %d", what, learnt, learnt_stored);
}

static void check_nothing_learnt(const char *what)
{
    CHECK(learnt == 0, "%s: learnt %u times", what, learnt);
}

int main(void)
{
    start(false);
    CHECK(compare_records(NULL, &expected, FILTERED, whole, 3), "all are alike");
    check_learnt("the record is there", 0, true);

    start(false);
    CHECK(compare_records(NULL, &expected, FILTERED, without, 2), "it may be absent");
    check_learnt("the record is not there", 0, false);

    start(true);
    CHECK(compare_records(NULL, &expected, FILTERED, old_from, 3), "an erratum explains FROM");
    check_learnt("FROM is an erratum's", 1, true);

    start(false);
    CHECK(!compare_records(NULL, &expected, FILTERED, old_from, 3), "nothing explains FROM");
    check_nothing_learnt("FROM is wrong");

    start(true);
    compare_records(NULL, &expected, FILTERED, other_to, 3);
    check_nothing_learnt("TO is an erratum's");

    start(true);
    compare_circular(NULL, &expected, whole, 3);
    compare_prefix(NULL, &expected, whole, 3);
    check_nothing_learnt("parts of a trace");
    return check_result();
}
