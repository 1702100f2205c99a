/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/ktap_write.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define WAITING_SIZE 8192u
#define DETAILS_SIZE 2048u
#define NAME_SIZE    160u
#define REASON_SIZE  256u

/* The block of subtests of the test that runs. */
static struct block {
    bool is_there, is_printed;     /* it has a head in the log, and every line from there on */
    unsigned planned, seen, lines; /* results: in all, so far, in the log */
    char name[NAME_SIZE];
} block;

/* Those that were skipped, each as two texts with their zeros: its name, and why. */
static char waiting[WAITING_SIZE];
static size_t waiting_length;
static unsigned waiting_count;

static char details[DETAILS_SIZE]; /* texts with their zeros */
static size_t details_length;

static struct reason {
    char text[REASON_SIZE];
    unsigned level;
} last; /* "": the last result was not skipped */

const char *ktap_compact_reason(unsigned level, enum ktap_outcome outcome, const char *reason)
{
    bool same = outcome == KTAP_SKIP && level == last.level && strlen(reason) < REASON_SIZE &&
                last.text[0] != '\0' && strcmp(reason, last.text) == 0;

    if (outcome != KTAP_SKIP)
        last.text[0] = '\0';
    else if (!same)
        format_string(last.text, sizeof(last.text), "%s", reason);
    last.level = level;
    return same ? KTAP_SAME_REASON : reason;
}

static void write_details(void)
{
    for (size_t at = 0; at < details_length; at += strlen(details + at) + 1)
        ktap_write_comment(LEVEL_TEST, COLOUR_PLAIN, "# %s", details + at);
    details_length = 0;
}

void ktap_compact_detail(const char *text)
{
    size_t length = strlen(text) + 1;

    if (length > DETAILS_SIZE - details_length)
        return;
    memcpy(details + details_length, text, length);
    details_length += length;
}

static void write_line(enum ktap_outcome outcome, const char *name, const char *reason)
{
    ktap_write_result(LEVEL_SUBTEST, outcome, ++block.lines, name,
                      ktap_compact_reason(LEVEL_SUBTEST, outcome, reason));
}

static void write_waiting(void)
{
    for (size_t at = 0; at < waiting_length;) {
        const char *name = waiting + at, *reason = name + strlen(name) + 1;

        write_line(KTAP_SKIP, name, reason);
        at += strlen(name) + strlen(reason) + 2;
    }
    waiting_length = waiting_count = 0;
}

/* With what waits, and so many results that are still to come. */
static void print_head(unsigned others)
{
    if (!block.is_there || block.is_printed || waiting_count + others == 0)
        return;
    block.is_printed = true;
    ktap_write_open(LEVEL_SUBTEST, block.name);
    ktap_write_plan(LEVEL_SUBTEST, waiting_count + others);
    write_waiting();
}

static unsigned left(void)
{
    return block.planned > block.seen ? block.planned - block.seen : 0;
}

void ktap_compact_open(const char *name)
{
    block = (struct block){.is_there = true};
    format_string(block.name, sizeof(block.name), "%s", name);
}

void ktap_compact_plan(unsigned count)
{
    block.planned = count;
}

static bool has_room(const char *name, const char *reason)
{
    return strlen(name) + strlen(reason) + 2 <= WAITING_SIZE - waiting_length;
}

static void wait_for_end(const char *name, const char *reason)
{
    const char *const texts[] = {name, reason};

    for (unsigned i = 0; i < 2; i++) {
        memcpy(waiting + waiting_length, texts[i], strlen(texts[i]) + 1);
        waiting_length += strlen(texts[i]) + 1;
    }
    waiting_count++;
}

void ktap_compact_result(enum ktap_outcome outcome, const char *name, const char *reason)
{
    bool can_wait = outcome == KTAP_OK || (outcome == KTAP_SKIP && has_room(name, reason));

    if (!block.is_printed && !can_wait) {
        write_details();
        print_head(left());
    }
    block.seen++;
    if (block.is_printed)
        write_line(outcome, name, reason);
    else if (outcome == KTAP_SKIP)
        wait_for_end(name, reason);
    else
        ktap_leave_out(LEVEL_SUBTEST, outcome);
}

/* Behind the last subtest only what was skipped is missing. */
void ktap_compact_comment(unsigned level)
{
    if (level == LEVEL_RUN)
        return;
    write_details();
    if (level == LEVEL_SUBTEST || left() == 0)
        print_head(left());
}

void ktap_compact_end(unsigned level, enum ktap_outcome outcome)
{
    if (level == LEVEL_TEST && outcome != KTAP_OK && outcome != KTAP_SKIP)
        write_details();
    print_head(0);
    block.is_there = false;
    details_length = 0;
}
