/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/ktap_write.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define DETAILS_SIZE 2048u
#define NAME_SIZE    160u
#define REASON_SIZE  256u

/* The block of subtests of the test that runs. */
static struct block {
    bool is_there, is_printed;     /* it has a head in the log */
    bool is_told_of;               /* a comment in the log belongs to the next result */
    unsigned planned, seen, lines; /* results: in all, so far, in the log */
    char name[NAME_SIZE];
} block;

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

static void print_head(void)
{
    if (block.is_there && !block.is_printed)
        ktap_write_open(LEVEL_SUBTEST, block.name);
    block.is_printed = block.is_there;
}

/* Of the lines that it has: nothing more comes. */
static void close_block(void)
{
    if (block.is_printed)
        ktap_write_plan(LEVEL_SUBTEST, block.lines);
    block = (struct block){.is_there = false};
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

void ktap_compact_result(enum ktap_outcome outcome, const char *name, const char *reason)
{
    block.seen++;
    if (outcome == KTAP_OK && !block.is_told_of) {
        ktap_leave_out(LEVEL_SUBTEST, outcome);
        return;
    }
    if (outcome != KTAP_SKIP)
        write_details();
    print_head();
    ktap_write_result(LEVEL_SUBTEST, outcome, ++block.lines, name,
                      ktap_compact_reason(LEVEL_SUBTEST, outcome, reason));
    block.is_told_of = false;
}

void ktap_compact_comment(unsigned level)
{
    if (level == LEVEL_RUN)
        return;
    if (level == LEVEL_TEST && block.seen == block.planned)
        close_block();
    write_details();
    if (level == LEVEL_SUBTEST)
        print_head();
    block.is_told_of = level == LEVEL_SUBTEST;
}

void ktap_compact_end(unsigned level, enum ktap_outcome outcome)
{
    close_block();
    if (level == LEVEL_TEST && outcome != KTAP_OK && outcome != KTAP_SKIP)
        write_details();
    details_length = 0;
}
