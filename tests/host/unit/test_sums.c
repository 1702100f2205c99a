/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From counted checks to what is broken: conditions that tell findings from what is right, and the
 * claims that explain failures. */
#include "kernel/report/sums/sums.h"

#include <string.h>

#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
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

    for (unsigned i = 0; i < 12; i++) {
        const char *kind = kinds[i / 4];
        uint16_t record = (uint16_t)(RECORD | i % 4);

        count(FINDING_RECORD_EXTRA, record | OFF_OS, kind, 0, 0, 10, 0);
        count(FINDING_RECORD_EXTRA, record | OFF_USR, kind, 3, 3, 0, 11);
        count(FINDING_RECORD_EXTRA, record | OFF_OS | OFF_USR, kind, 0, 0, 0, 12);
        count(FINDING_RECORD_EXTRA, DEBUGCTL_TR | OFF_OS, kind, 0, 0, 0, 13);
        count(FINDING_RECORD_MISSING, record | OFF_OS, kind, 3, 3, 0, 14);
    }
    sums_keep();
}

static void check_setting(void)
{
    forget();
    check_line(0, NULL);
    count_off_os();
    check_line(0, "branch records too many: 120 (record.extra), all from ring 0, with BTS=1 "
                  "BTS_OFF_OS=1 BTS_OFF_USR=0; held there: 0, elsewhere: 432");
    check_line(1, NULL);
}

/* That recording is on is told only where it keeps something out. */
static void check_needless(void)
{
    forget();
    for (unsigned i = 0; i < 5; i++)
        count(FINDING_RECORD_EXTRA, (uint16_t)(RECORD | OFF_OS | 1u << (11 + i)), "JMP", 0, 0, 1,
              0);
    count(FINDING_RECORD_EXTRA, RECORD | OFF_USR, "JMP", 0, 0, 0, 99);
    count(FINDING_RECORD_EXTRA, OFF_USR, "JMP", 0, 0, 0, 9);
    sums_keep();
    check_line(0,
               "branch records too many: 5 (record.extra), all with BTS_OFF_OS=1; held there: 0, "
               "elsewhere: 108");
}

/* Kinds of transfer, the most frequent first; one altered has a record that is right as one that is
 * missing has. */
static void check_transfers(enum finding_kind kind, const char *words)
{
    char line[SUMS_LINE] = "";

    forget();
    for (unsigned i = 0; i < 3; i++) {
        count(kind, (uint16_t)(RECORD | i), "IRET", 0, 3, 2, 0);
        count(kind, (uint16_t)(RECORD | i), "SYSCALL", 3, 0, 7, 0);
    }
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 0, 0, 50);
    count(FINDING_RECORD_MISSING, RECORD, "INT n", 3, 0, 0, 60);
    count(FINDING_RECORD_MISSING, RECORD, "interrupt", 0, 3, 0, 60);
    sums_keep();
    strcat(strcpy(line, words), ", all of SYSCALL, IRET; held there: 0, elsewhere: 170");
    check_line(0, line);
}

/* What is the same everywhere has no condition. */
static void check_no_condition(void)
{
    forget();
    for (uint8_t ring = 0; ring < 4; ring++) {
        count(FINDING_RECORD_MISSING, RECORD, "JMP", ring, ring, 1, 20);
        count(FINDING_RECORD_MISSING, RECORD | OFF_OS, "RET", ring, ring, 1, 20);
    }
    sums_keep();
    check_line(0, "branch records missing: 8 (record.missing); held: 160");
}

/* What few findings have in common by chance is no condition: a third of what is right has it. */
static void check_chance(unsigned findings, const char *words)
{
    char line[SUMS_LINE] = "";

    forget();
    for (unsigned i = 0; i < findings; i++)
        count(FINDING_RECORD_MISSING, (uint16_t)(RECORD | 1u << (11 + i)), "JMP", 3, 3, 1, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 3, 3, 0, 100);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 0, 0, 200);
    sums_keep();
    format_string(line, sizeof(line), "branch records missing: %u (record.missing)%s", findings,
                  words);
    check_line(0, line);
}

/* A few elsewhere are an echo, and are told of. */
static void check_echo(void)
{
    forget();
    for (unsigned i = 0; i < 4; i++)
        count(FINDING_RECORD_MISSING, (uint16_t)(RECORD | i), "IRET", 0, 3, 50, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 0, 3, 4000);
    sums_keep();
    check_line(0, "branch records missing: 203 (record.missing), 200 of them of IRET; held there: "
                  "0, elsewhere: 4000");
}

/* What is left out as an echo by one condition and by another is too much together. */
static void check_narrow(void)
{
    forget();
    for (unsigned i = 0; i < 4; i++)
        count(FINDING_RECORD_MISSING, (uint16_t)(RECORD | i), "JMP", 0, 0, 14, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 3, 3, 22, 0);
    count(FINDING_RECORD_MISSING, RECORD, "RET", 0, 0, 22, 0);
    count(FINDING_RECORD_MISSING, RECORD, "CALL", 3, 3, 0, 4000);
    count(FINDING_RECORD_MISSING, RECORD, "RET", 1, 1, 0, 4000);
    sums_keep();
    check_line(0,
               "branch records missing: 100 (record.missing), 78 of them from ring 0; held there: "
               "0, elsewhere: 8000");
}

/* That a bit is clear says nothing where it mostly is. */
static void check_clear_bit(void)
{
    forget();
    for (unsigned i = 0; i < 12; i++)
        count(FINDING_RECORD_MISSING, (uint16_t)(RECORD | i << 11), "JMP", 0, 0, 1, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 0, 0, 60);
    count(FINDING_RECORD_MISSING, RECORD | DEBUGCTL_BTINT, "JMP", 0, 0, 0, 40);
    sums_keep();
    check_line(0, "branch records missing: 12 (record.missing); held: 100");
}

/* Of a tenth of the findings the setting is not known: they do not speak against it. */
static void check_unknown(void)
{
    struct sums_key key = {.kind = FINDING_INDEX, .from = RING_HIDDEN, .to = RING_HIDDEN};

    forget();
    sums_count(&key, 1, 50);
    key.has_run = 1;
    for (unsigned i = 0; i < 4; i++) {
        key.debugctl = (uint16_t)(DEBUGCTL_BTINT | i);
        sums_count(&key, 3, 0);
    }
    key.debugctl = RECORD;
    sums_count(&key, 0, 50);
    sums_keep();
    check_line(0, "BTS indexes that are wrong: 13 (index), all with BTINT=1; held there: 0, "
                  "elsewhere: 100");
}

/* Where the suites of findings are few, and nothing else tells. */
static void check_suite(void)
{
    forget();
    count_of_suite("probe", 4, 0);
    count_of_suite("lbr", 0, 100);
    sums_keep();
    check_line(0, "registers with a wrong value: 4 (msr.value), all in suite probe; held there: 0, "
                  "elsewhere: 100");
}

/* A circumstance that all have. */
static void check_circumstance(void)
{
    forget();
    for (uint32_t i = 0; i < 4; i++)
        sums_count(
            &(struct sums_key){.kind = FINDING_INDEX, .under = UNDER(FULL) | UNDER(SMI) << i}, 2,
            0);
    sums_count(&(struct sums_key){.kind = FINDING_INDEX}, 0, 30);
    sums_keep();
    check_line(0,
               "BTS indexes that are wrong: 8 (index), all where the buffer is full; held there: "
               "0, elsewhere: 30");
}

static void see(const char *where, uint64_t expected, uint64_t got)
{
    const struct finding finding = {
        .kind = FINDING_MSR_VALUE, .where = where, .expected = expected, .got = got};

    count_of_suite("probe", 1, 0);
    sums_found(&finding);
}

/* Where, the first two places; values that are all the same, else bits that all lack or have. */
static void check_seen(void)
{
    forget();
    see("TOS", 3, 0);
    see("TOS", 3, 0);
    sums_keep();
    see("SELECT", 3, 0);
    sums_keep();
    check_line(0, "registers with a wrong value: 3 (msr.value), at 'TOS' x2, 'SELECT' x1, all 0 "
                  "instead of 3; held: 0");
    see("CTL", 0x13, 0x10);
    sums_keep();
    check_line(0, "registers with a wrong value: 4 (msr.value), at 'TOS' x2, 'SELECT' x1 and 1 "
                  "elsewhere, all with bits 0x3 missing; held: 0");
    see("CTL", 2, 4);
    sums_keep();
    check_line(0, "registers with a wrong value: 5 (msr.value), at 'TOS' x2, 'SELECT' x1 and 2 "
                  "elsewhere, all with bits 0x2 missing; held: 0");
    see("CTL", 4, 0);
    sums_keep();
    check_line(0, "registers with a wrong value: 6 (msr.value), at 'TOS' x2, 'SELECT' x1 and 3 "
                  "elsewhere; held: 0");
}

/* Of what is no register the difference. */
static void check_shift(void)
{
    forget();
    for (uint64_t i = 0; i < 4; i++) {
        const struct finding finding = {.kind = FINDING_INDEX, .expected = i, .got = i + 2};

        count(FINDING_INDEX, RECORD, NULL, RING_HIDDEN, RING_HIDDEN, 1, 0);
        sums_found(&finding);
    }
    sums_keep();
    check_line(0, "BTS indexes that are wrong: 4 (index), all 2 too high; held: 0");
}

static void check_more_places(void)
{
    char where[] = "place 0";

    forget();
    for (unsigned i = 0; i <= SUMS_PLACES; i++) {
        where[6] = (char)('0' + i);
        see(where, i, i + 0x100);
    }
    sums_keep();
    check_line(0,
               "registers with a wrong value: 7 (msr.value), at 'place 0' x1, 'place 1' x1 and 5 "
               "elsewhere, all with bits 0x100 too many; held: 0");
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
    check_line(0, "registers with a wrong value: 7 (msr.value); held: 0");
    check_line(4, "performance monitoring interrupts too late: 3 (pmi.late); held: 0");
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
    check_line(0, "registers with a wrong value: 1 (msr.value); held: 0");
}

/* Another processor has other numbers for its names. */
static void check_others(void)
{
    static struct sums_of_run its;

    forget();
    sums_name("RET");
    count(FINDING_RECORD_MISSING, RECORD, "IRET", 0, 3, 2, 0);
    sums_failure(&(struct claim_set){.ids = {"BTS-2", "BTS-1"}, .count = 2});
    sums_keep();
    its = *sums_of_run();
    forget();
    count(FINDING_RECORD_MISSING, RECORD, "IRET", 0, 3, 1, 0);
    count(FINDING_RECORD_MISSING, RECORD, "JMP", 0, 3, 0, 90);
    sums_failure(&(struct claim_set){.ids = {"BTS-1"}, .count = 1});
    sums_keep();
    sums_add_all(&its);
    check_line(0, "branch records missing: 3 (record.missing), all of IRET; held there: 0, "
                  "elsewhere: 90");
    check_line(1, "claim BTS-1 explains 2 of 2 failures: a record for every branch");
    check_line(2, "may follow from it: BTS-2");
    check_line(3, NULL);
}

static void fail(uint32_t times, const char *first, const char *second)
{
    const struct claim_set set = {.ids = {first, second}, .count = second != NULL ? 2 : 1};

    for (uint32_t i = 0; i < times; i++)
        sums_failure(&set);
}

/* A greedy cover: parts of one test count less than as many tests; a claim that is named alone
 * counts more than one of several. */
static void check_claims(void)
{
    forget();
    fail(16, "T17-6.4", NULL);
    sums_keep();
    for (unsigned i = 0; i < 5; i++) {
        fail(1, "DS-6", NULL);
        sums_keep();
    }
    fail(1, "PM-1", "BTS-1");
    sums_keep();
    fail(3, "BTS-1", NULL);
    sums_keep();
    check_line(0, "claim DS-6 explains 5 of 25 failures: ");
    check_line(1, "claim T17-6.4 explains 16 of 25 failures: only branches above CPL 0");
    check_line(2, "claim BTS-1 explains 4 of 25 failures: a record for every branch");
    check_line(3, "may follow from it: PM-1");
    check_line(4, NULL);
    CHECK_TEXT(sums_claim(0), "DS-6");
    CHECK_TEXT(sums_claim(3), "PM-1");
    CHECK(sums_kinds() == 0 && sums_claim(4) == NULL, "%zu", sums_kinds());
}

/* The line of one test: of what is not kept yet alone. */
static void check_line_of_test(void)
{
    char text[SUMS_LINE];

    forget();
    count_off_os();
    sums_line_of_test(text);
    CHECK_TEXT(text, "");
    count(FINDING_RECORD_MISSING, RECORD, "IRET", 0, 3, 1, 0);
    sums_line_of_test(text);
    CHECK_TEXT(text, "");
    count(FINDING_RECORD_MISSING, RECORD, "IRET", 0, 3, 1, 0);
    sums_line_of_test(text);
    CHECK_TEXT(text, "branch records missing: 2 (record.missing); held: 0");
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
    CHECK(strstr(captured, "# broken: branch records too many: 120 ") == captured, "%s", captured);
    CHECK(strstr(captured, "\n# broken: claim BTS-1 explains 1 of 1 failures"), "%s", captured);
}

int main(void)
{
    check_setting();
    check_needless();
    check_transfers(FINDING_RECORD_MISSING, "branch records missing: 27 (record.missing)");
    check_transfers(FINDING_RECORD_FROM, "branch records with a wrong FROM: 27 (record.from)");
    check_no_condition();
    check_chance(3, "; held: 300");
    check_chance(5, ", all from ring 3; held there: 100, elsewhere: 200");
    check_echo();
    check_narrow();
    check_clear_bit();
    check_unknown();
    check_suite();
    check_circumstance();
    check_seen();
    check_shift();
    check_more_places();
    check_ranks();
    check_kept();
    check_others();
    check_claims();
    check_line_of_test();
    check_room();
    check_print();
    return check_result();
}
