// SPDX-License-Identifier: GPL-2.0-or-later
#include "number.h"

#include <string.h>

bool number_parse(const char *text, size_t length, uint32_t maximum, uint32_t *value)
{
    uint64_t number = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        number = number * 10 + (uint64_t)(text[i] - '0');
        if (number > maximum) {
            return false;
        }
    }
    *value = (uint32_t)number;
    return length > 0;
}

bool number_parse_chance(const char *text, size_t length, uint32_t *n)
{
    uint32_t number;

    if (length < 3 || text[0] != '1' || text[1] != '/' ||
        !number_parse(text + 2, length - 2, NUMBER_CHANCE_LARGEST, &number) || number == 0) {
        return false;
    }
    *n = number;
    return true;
}

const char *number_each_name(const char *text, name_setter *set, void *settings)
{
    while (*text) {
        size_t length = strcspn(text, "+,");
        const char *wrong = set(settings, text, length);

        if (wrong) {
            return wrong;
        }
        text += length;
        if (*text && *++text == '\0') {
            return "a name is missing at the end";
        }
    }
    return NULL;
}
