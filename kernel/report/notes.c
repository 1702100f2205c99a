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
