/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/context.h"

#include <stdint.h>

#include "kernel/report/ktap.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"

/* Fingerprints of the texts asked about so far. */
#define TEXT_COUNT 256u
static uint64_t texts[TEXT_COUNT];
static size_t text_count;

void notes_add(struct notes *notes, const char *format, va_list arguments)
{
    char line[NOTE_SIZE];
    size_t length;

    format_string_v(line, sizeof(line), format, arguments);
    length = strlen(line);
    if (length + 1 > NOTES_SIZE - notes->length) {
        notes->dropped++;
        return;
    }
    memcpy(notes->text + notes->length, line, length);
    notes->length += length;
    notes->text[notes->length++] = '\n';
}

void notes_append(struct notes *notes, const struct notes *others)
{
    size_t length = others->length, room = NOTES_SIZE - notes->length;

    while (length > room || (length > 0 && others->text[length - 1] != '\n'))
        length--;
    for (size_t i = length; i < others->length; i++)
        notes->dropped += others->text[i] == '\n';
    memcpy(notes->text + notes->length, others->text, length);
    notes->length += length;
    notes->dropped += others->dropped;
}

static void reverse(char *text, size_t length)
{
    for (size_t i = 0; i < length / 2; i++) {
        char byte = text[i];

        text[i] = text[length - 1 - i];
        text[length - 1 - i] = byte;
    }
}

void notes_move(struct notes *notes, size_t start, size_t to)
{
    reverse(notes->text + to, start - to);
    reverse(notes->text + start, notes->length - start);
    reverse(notes->text + to, notes->length - to);
}

void notes_flush(struct notes *notes, unsigned level, size_t start)
{
    ktap_comment_lines(level, notes->text + start, notes->length - start);
    notes->length = start;
    if (notes->dropped > 0)
        ktap_comment(level, "and %u more lines, for which there was no room", notes->dropped);
    notes->dropped = 0;
}

/* FNV-1a, 64 bits. */
static uint64_t fingerprint(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325ull;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
    return hash;
}

bool notes_first_time(const char *text)
{
    uint64_t hash = fingerprint(text);

    for (size_t i = 0; i < text_count; i++) {
        if (texts[i] == hash)
            return false;
    }
    if (text_count < TEXT_COUNT)
        texts[text_count++] = hash;
    return true;
}

/* --- failures that are like earlier ones --- */

#define PAIRS 512u /* of a kind and a claim; a failure beyond these is like earlier ones */

static struct pair {
    const char *claim;
    enum finding_kind kind;
    unsigned count; /* failures */
} pairs[PAIRS];
static size_t pair_count;
static unsigned whole[FINDING_KINDS]; /* failures that were shown whole */

void alike_begin(void)
{
    memset(whole, 0, sizeof(whole));
    pair_count = 0;
}

static struct pair *find_pair(enum finding_kind kind, const char *claim)
{
    for (size_t i = 0; i < pair_count; i++) {
        if (pairs[i].kind == kind && strcmp(pairs[i].claim, claim) == 0)
            return &pairs[i];
    }
    if (pair_count == PAIRS)
        return NULL;
    pairs[pair_count] = (struct pair){.kind = kind, .claim = claim};
    return &pairs[pair_count++];
}

static bool is_one_of_the_first(const struct pair *pair)
{
    return pair->count < ALIKE_WHOLE && whole[pair->kind] < ALIKE_WHOLE_KIND;
}

bool alike_is_brief(const bool kinds[FINDING_KINDS], const char *claim)
{
    bool is_whole = false, has_kind = false;

    for (unsigned kind = 0; kind < FINDING_KINDS; kind++) {
        struct pair *pair = kinds[kind] ? find_pair((enum finding_kind)kind, claim) : NULL;

        has_kind |= kinds[kind];
        is_whole |= kinds[kind] && finding_is_of_the_test((enum finding_kind)kind);
        if (pair == NULL)
            continue;
        is_whole |= is_one_of_the_first(pair);
        pair->count++;
    }
    for (unsigned kind = 0; kind < FINDING_KINDS; kind++)
        whole[kind] += kinds[kind] && is_whole;
    return has_kind && !is_whole;
}
