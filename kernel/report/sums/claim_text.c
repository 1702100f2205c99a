/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/findings.h"

#include <stdbool.h>

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

static const char *skip(const char *at, char character)
{
    return *at == character ? at + 1 : at;
}

static size_t length_to(const char *text, char end)
{
    size_t length = 0;

    while (text[length] != '\0' && text[length] != end)
        length++;
    return length;
}

/* The value in a line ID = "value" or "ID" = "value", behind its first quote; NULL if the line is
 * another one. */
static const char *value_of(const char *line, const char *id)
{
    const char *at = skip(line, '"');
    size_t length = strlen(id);

    if (strncmp(at, id, length) != 0)
        return NULL;
    at = skip(at + length, '"');
    return strncmp(at, " = \"", 4) == 0 ? at + 4 : NULL;
}

char *claim_text(const char *id, char *text, size_t size)
{
    text[0] = '\0';
    for (const char *line = claim_table; *line != '\0';) {
        const char *value = value_of(line, id);

        if (value != NULL) {
            format_string(text, size, "%.*s", (int)length_to(value, '"'), value);
            break;
        }
        line += length_to(line, '\n');
        line = skip(line, '\n');
    }
    return text;
}
