/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From counted checks to what is broken: conditions that tell findings from what is right, and the
 * claims that explain failures. */
#include "kernel/report/sums/sums.h"

#include <string.h>

#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

#define RECORD  ((uint16_t)(DEBUGCTL_TR | DEBUGCTL_BTS))
#define OFF_OS  ((uint16_t)DEBUGCTL_BTS_OFF_OS)
#define OFF_USR ((uint16_t)DEBUGCTL_BTS_OFF_USR)

static void forget(void)
{
    memset((struct sums_of_run *)sums_of_run(), 0, sizeof(struct sums_of_run));
    sums_begin();
}

/* Checks about a transfer. */
static void count(enum finding_kind kind, uint16_t debugctl, const char *transfer, uint8_t from,
                  uint8_t to, uint32_t wrong, uint32_t right)
{
    const struct sums_key key = {.kind = (uint8_t)kind,
                                 .debugctl = debugctl,
                                 .has_run = 1,
                                 .transfer = sums_name(transfer),
                                 .from = from,
                                 .to = to};

    sums_count(&key, wrong, right);
}

static void count_of_suite(const char *suite, uint32_t wrong, uint32_t right)
{
    const struct sums_key key = {.kind = FINDING_MSR_VALUE,
                                 .suite = sums_name(suite),
                                 .from = RING_HIDDEN,
                                 .to = RING_HIDDEN};

    sums_count(&key, wrong, right);
}

static void check_line(size_t i, const char *expected)
{
    const char *text;

    sums_print();
    take_captured();
    text = sums_line(i);
    CHECK((text != NULL) == (expected != NULL), "line %zu: %s", i, text != NULL ? text : "none");
    if (text != NULL && expected != NULL)
        CHECK_TEXT(text, expected);
}

/* BTS_OFF_OS does nothing: what it must leave out is stored, whatever it is. */
static void count_off_os(void)
{
    static const char *const kinds[] = {"JMP", "CALL", "RET"};

    for (unsigned i = 0; i < 3; i++) {
        count(FINDING_RECORD_EXTRA, RECORD | OFF_OS, kinds[i], 0, 0, 10, 0);
        count(FINDING_RECORD_EXTRA, RECORD | OFF_USR, kinds[i], 3, 3, 0, 11);
        count(FINDING_RECORD_EXTRA, RECORD | OFF_OS | OFF_USR, kinds[i], 0, 0, 0, 12);
        count(FINDING_RECORD_EXTRA, DEBUGCTL_TR | OFF_OS, kinds[i], 0, 0, 0, 13);
        count(FINDING_RECORD_MISSING, RECORD | OFF_OS, kinds[i], 3, 3, 0, 14);
    }
    sums_keep();
}

static void check_setting(void)
{
    forget();
    check_line(0, NULL);
    count_off_os();
    check_line(0, "record.extra x30, all where BTS=1 BTS_OFF_USR=0: 0 right there, 108 elsewhere; "
                  "there too from=0 to=0 BTS_OFF_OS=1");
    check_line(1, NULL);
}

/* One condition is better than two; of two that do the same, the bit that is set. */
static void check_fewest(void)
{
    forget();
    count(FINDING_RECORD_EXTRA, RECORD | OFF_OS, "JMP", 0, 0, 5, 0);
    count(FINDING_RECORD_EXTRA, OFF_USR, "JMP", 0, 0, 0, 9);
    count(FINDING_RECORD_EXTRA, RECORD | OFF_USR, "JMP", 0, 0, 0, 9);
    sums_keep();
    check_line(
        0,
        "record.extra x5, all where BTS_OFF_OS=1: 0 right there, 18 elsewhere; there too TR=1 BTS=1");
}

/* Kinds of transfer, the most frequent first; one altered has a record that is right as one that is
 * missing has. */
static void check_transfers(enum finding_kind kind, const char *line)
{
    forget();
    count(kind, RECORD, "IRET", 0, 3, 2, 0);
    count(kind, RECORD, "SYSCALL", 3, 0, 7, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 0, 0, 50);
    count(FINDING_RECORD_MISSING, RECORD, "INT n", 3, 0, 0, 60);
    count(FINDING_RECORD_MISSING, RECORD, "interrupt", 0, 3, 0, 60);
    sums_keep();
    check_line(0, line);
}

/* What is the same everywhere has no condition; what is there and where says so. */
static void check_no_condition(void)
{
    forget();
    for (uint8_t ring = 0; ring < 4; ring++) {
        count(FINDING_RECORD_MISSING, RECORD, "JMP", ring, ring, 1, 20);
        count(FINDING_RECORD_MISSING, RECORD | OFF_OS, "RET", ring, ring, 1, 20);
    }
    sums_keep();
    check_line(0, "record.missing x8, all among 160 that are right");
}

/* A few elsewhere are an echo, and are told of. */
static void check_echo(void)
{
    forget();
    count(FINDING_RECORD_MISSING, RECORD, "IRET", 0, 3, 200, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 0, 3, 4000);
    sums_keep();
    check_line(0, "record.missing x203, 200 of them where crossing=1: 0 right there, 4000 "
                  "elsewhere; there too to=3 kind=\"IRET\"");
}

/* Only if nothing else tells what is wrong. */
static void check_suite(void)
{
    forget();
    count_of_suite("probe", 4, 0);
    count_of_suite("lbr", 0, 100);
    sums_keep();
    check_line(0, "msr.value x4, all where suite=\"probe\": 0 right there, 100 elsewhere");
}

static void check_ranks(void)
{
    static const enum finding_kind kinds[] = {FINDING_INDEX,     FINDING_PMI_LVT, FINDING_PMI_LATE,
                                              FINDING_PMI_EARLY, FINDING_LBR_TOS, FINDING_CHOICE,
                                              FINDING_MSR_VALUE};

    forget();
    for (unsigned i = 0; i < 7; i++)
        count(kinds[i], RECORD, NULL, RING_HIDDEN, RING_HIDDEN, i + 1, 0);
    sums_keep();
    check_line(0, "msr.value x7, all among 0 that are right");
    check_line(4, "pmi.late x3, all among 0 that are right");
    check_line(5, "and pmi.lvt x2 index x1");
    check_line(6, NULL);
}

/* What a disturbed test counted is forgotten. */
static void check_kept(void)
{
    forget();
    count_of_suite("probe", 4, 0);
    sums_begin();
    count_of_suite("probe", 1, 0);
    sums_keep();
    sums_begin();
    check_line(0, "msr.value x1, all among 0 that are right");
}

/* Another processor has other numbers for its names. */
static void check_others(void)
{
    static struct sums_of_run its;

    forget();
    sums_name("RET");
    count(FINDING_RECORD_MISSING, RECORD, "IRET", 0, 3, 2, 0);
    sums_failure(&(struct claim_set){.ids = {"BTS-2", "BTS-1"}, .count = 2});
    sums_pass("BTS-2");
    sums_keep();
    its = *sums_of_run();
    forget();
    count(FINDING_RECORD_MISSING, RECORD, "IRET", 0, 3, 1, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 3, 0, 9);
    sums_failure(&(struct claim_set){.ids = {"BTS-1"}, .count = 1});
    sums_keep();
    sums_add_all(&its);
    check_line(0, "record.missing x3, all where kind=\"IRET\": 0 right there, 9 elsewhere");
    check_line(1, "claim BTS-1 explains 2 of 2 failures; 0 that name it pass: a record for every "
                  "branch");
    check_line(2, "may follow from it: BTS-2");
    check_line(3, NULL);
}

static void fail(uint32_t times, const char *first, const char *second)
{
    const struct claim_set set = {.ids = {first, second}, .count = second != NULL ? 2 : 1};

    for (uint32_t i = 0; i < times; i++)
        sums_failure(&set);
}

/* The claim of most failures of which few tests pass, then the one that explains most of the rest.
 */
static void check_claims(void)
{
    forget();
    fail(20, "T17-6.4", "BTS-1");
    fail(5, "DS-6", "BTS-1");
    fail(1, "PM-1", NULL);
    for (unsigned i = 0; i < 40; i++)
        sums_pass("BTS-1");
    sums_pass("T17-6.4");
    sums_keep();
    check_line(0, "claim T17-6.4 explains 20 of 26 failures; 1 that name it pass: only branches "
                  "above CPL 0");
    check_line(1, "claim DS-6 explains 5 of 26 failures; 0 that name it pass: ");
    check_line(2, "may follow from it: BTS-1 PM-1");
    check_line(3, NULL);
    CHECK_TEXT(sums_claim(0), "T17-6.4");
    CHECK_TEXT(sums_claim(2), "BTS-1");
    CHECK(sums_kinds() == 0 && sums_claim(4) == NULL, "%zu", sums_kinds());
}

/* More than there is room for is told, and nothing is claimed of what was not counted. */
static void check_room(void)
{
    forget();
    for (uint32_t i = 0; i < 4 * SUMS_CELLS; i++)
        sums_count(&(struct sums_key){.kind = FINDING_INDEX, .under = i}, 1, 0);
    sums_keep();
    sums_print();
    CHECK(strstr(sums_line(0), ", as far as there was room to count"), "%s", sums_line(0));
}

static void check_print(void)
{
    forget();
    count_off_os();
    fail(1, "BTS-1", NULL);
    sums_keep();
    take_captured();
    sums_print();
    CHECK(strstr(captured, "# broken: record.extra x30, all where ") == captured, "%s", captured);
    CHECK(strstr(captured, "\n# broken: claim BTS-1 explains 1 of 1 failures"), "%s", captured);
}

int main(void)
{
    check_setting();
    check_fewest();
    check_transfers(FINDING_RECORD_MISSING,
                    "record.missing x9, all where kind=\"SYSCALL, IRET\": 0 right there, 170 "
                    "elsewhere; there too crossing=1");
    check_transfers(FINDING_RECORD_FROM,
                    "record.from x9, all where kind=\"SYSCALL, IRET\": 0 right "
                    "there, 170 elsewhere; there too crossing=1");
    check_no_condition();
    check_echo();
    check_suite();
    check_ranks();
    check_kept();
    check_others();
    check_claims();
    check_room();
    check_print();
    return check_result();
}
