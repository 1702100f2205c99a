/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a record teaches of an open reading, where an erratum may have spoilt it. */
#include "tests/spec/compare.h"

#include "arch/trace/debugctl.h"
#include "kernel/report/context.h"
#include "tests/host/unit/check.h"
#include "tests/spec/choices/transfer_choices.h"

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

static unsigned held[FINDING_KINDS];

void test_held(struct test_context *t, const struct finding *check)
{
    (void)t;
    held[check->kind]++;
}

/* It changes no setting. */
struct program_write program_write(const struct program *program)
{
    (void)program;
    return (struct program_write){.before = SIZE_MAX};
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

enum maybe is_stored(uint64_t debugctl, const struct transfer *transfer)
{
    CHECK(debugctl == FILTERED && transfer->kind == TRANSFER_SYSCALL, "asked under %#lx",
          (long)debugctl);
    return MAYBE;
}

void is_stored_learn(struct test_context *t, uint64_t debugctl, const struct transfer *transfer,
                     bool stored)
{
    (void)t;
    CHECK(transfer->kind == TRANSFER_SYSCALL, "kind %u", transfer->kind);
    learnt++;
    learnt_debugctl = debugctl;
    learnt_stored = stored;
}

/* A jump, a SYSCALL whose record is open, a jump. */
static struct expected expected = {
    .count = 3,
    .records = {{.transfer = {.kind = TRANSFER_JMP, .from = 0x10, .to = 0x20}},
                {.transfer = {.kind = TRANSFER_SYSCALL, .from = 0x30, .to = 0x40},
                 .debugctl = FILTERED,
                 .open = true},
                {.transfer = {.kind = TRANSFER_JMP, .from = 0x50, .to = 0x60}}},
};

static const struct bts_record whole[] = {{0x10, 0x20, 0}, {0x30, 0x40, 0}, {0x50, 0x60, 0}};
static const struct bts_record old_from[] = {{0x10, 0x20, 0}, {0x10, 0x40, 0}, {0x50, 0x60, 0}};
static const struct bts_record other_to[] = {{0x10, 0x20, 0}, {0x30, 0x4f, 0}, {0x50, 0x60, 0}};
static const struct bts_record without[] = {{0x10, 0x20, 0}, {0x50, 0x60, 0}};

/* --- what is kept for a trace --- */

static bool keeps;
static struct branch_trace trace;

bool test_keeps_trace(const struct test_context *t)
{
    (void)t;
    return keeps;
}

void test_trace(struct test_context *t, const struct trace_head *head, trace_reader read,
                const void *from)
{
    (void)t;
    trace = (struct branch_trace){.head = *head, .is_there = true};
    for (size_t i = 0; i < head->shown; i++)
        read(from, i, &trace.steps[i]);
}

/* The marks of the steps, in order. */
static const char *marks(void)
{
    static char text[TRACE_STEPS + 1];

    for (size_t i = 0; i < trace.head.shown; i++)
        text[i] = "=!-+~?"[trace.steps[i].mark];
    text[trace.head.shown] = '\0';
    return text;
}

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

static const struct bts_record one_more[] = {
    {0x10, 0x20, 0}, {0x70, 0x80, 0}, {0x30, 0x40, 0}, {0x50, 0x60, 16}};

static void check_steps(void)
{
    start(false);
    keeps = true;
    compare_records(NULL, &expected, one_more, 4);
    CHECK_TEXT(marks(), "=+==");
    CHECK(trace.head.steps == 4 && trace.head.got == 4 && trace.head.expected == 3, "head");
    CHECK(trace.steps[1].from == 0x70 && trace.steps[1].to == 0x80 && !trace.steps[1].kind,
          "extra");
    CHECK_TEXT(trace.steps[2].kind, "SYSCALL");
    CHECK(trace.steps[3].flags == 16, "flags");
    compare_records(NULL, &expected, without, 2);
    CHECK_TEXT(marks(), "=~=");
    CHECK(trace.steps[1].from == 0x30 && trace.steps[1].to == 0x40, "absent");
    compare_records(NULL, &expected, other_to, 1);
    CHECK_TEXT(marks(), "=~-");
    CHECK(trace.steps[2].from == 0x50, "missing");
    compare_records(NULL, &expected, old_from, 3);
    CHECK_TEXT(marks(), "=!=");
    CHECK(trace.steps[1].from == 0x10 && trace.steps[1].expected_from == 0x30, "altered");
    compare_some(NULL, &expected, 1, 3, whole + 1, 2);
    CHECK_TEXT(marks(), "==");
    CHECK(trace.steps[0].from == 0x30 && trace.steps[1].from == 0x50, "from the second on");
    compare_some(NULL, &expected, 0, 1, whole, 1);
    CHECK_TEXT(marks(), "=");
    trace.is_there = keeps = false;
    compare_records(NULL, &expected, whole, 3);
    CHECK(!trace.is_there, "kept although nobody asked");
}

/* A long trace with one that is too many: what stands around it, and the numbers of that. */
static void check_window(size_t count, size_t at)
{
    static struct expected many;
    static struct bts_record got[EXPECTED_MAX];
    size_t last = count + 1 > TRACE_STEPS ? count + 1 - TRACE_STEPS : 0;
    size_t first = at < TRACE_BEFORE ? 0 : at - TRACE_BEFORE < last ? at - TRACE_BEFORE : last;

    many.count = count;
    for (size_t i = 0; i < count; i++) {
        many.records[i].transfer = (struct transfer){.from = 16 * i, .to = 16 * i + 8};
        got[i + (i >= at)] = (struct bts_record){16 * i, 16 * i + 8, 0};
    }
    got[at] = (struct bts_record){1, 2, 0};
    keeps = true;
    compare_records(NULL, &many, got, count + 1);
    keeps = false;
    CHECK(trace.head.steps == count + 1, "%zu", trace.head.steps);
    CHECK(trace.head.first == first, "%zu, not %zu", trace.head.first, first);
    CHECK(trace.head.got_first == trace.head.first, "%zu", trace.head.got_first);
    CHECK(trace.steps[at - trace.head.first].mark == TRACE_EXTRA, "%zu of %zu", at, count);
    CHECK(trace.steps[0].from == 16 * trace.head.first || at == 0, "%lx", trace.steps[0].from);
}

int main(void)
{
    check_steps();
    check_window(1000, 0);
    check_window(1000, 30);
    check_window(1000, 64);
    check_window(1000, 500);
    check_window(1000, 999);
    start(false);
    CHECK(compare_records(NULL, &expected, whole, 3) == ALIKE_ALL, "all are alike");
    check_learnt("the record is there", 0, true);

    start(false);
    CHECK(compare_records(NULL, &expected, without, 2) == ALIKE_ALL, "it may be absent");
    check_learnt("the record is not there", 0, false);

    start(true);
    CHECK(compare_records(NULL, &expected, old_from, 3) == ALIKE_EXPLAINED,
          "an erratum explains FROM");
    check_learnt("FROM is an erratum's", 1, true);

    start(false);
    CHECK(compare_records(NULL, &expected, old_from, 3) == UNLIKE, "nothing explains FROM");
    check_nothing_learnt("FROM is wrong");

    start(true);
    compare_records(NULL, &expected, other_to, 3);
    check_nothing_learnt("TO is an erratum's");

    return check_result();
}
