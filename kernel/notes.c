/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/notes.h"

#include "kernel/ktap.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define LINE_SIZE 400u

void notes_add(struct notes *notes, const char *format, va_list arguments)
{
    char line[LINE_SIZE];
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

void notes_flush(struct notes *notes, unsigned level, size_t start)
{
    ktap_comment_lines(level, notes->text + start, notes->length - start);
    notes->length = start;
    if (notes->dropped > 0)
        ktap_comment(level, "and %u more lines, for which there was no room", notes->dropped);
    notes->dropped = 0;
}
