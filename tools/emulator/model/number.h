// SPDX-License-Identifier: GPL-2.0-or-later
/* Decimal numbers and lists of names as text, for the options of users. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_DIGITS 11 /* of the largest number, and a NUL */

/* Whether the length characters of text are a number of at most this size. */
bool number_parse(const char *text, size_t length, uint32_t maximum, uint32_t *value);

/* Whether they are "1/N" with N from 1 to NUMBER_CHANCE_LARGEST; *n is that N. */
bool number_parse_chance(const char *text, size_t length, uint32_t *n);

#define NUMBER_CHANCE_LARGEST 1000000000u
#define NUMBER_CHANCE_WRONG   "after the colon comes 1/N, N from 1 to 1000000000"

/* Sets each of the names that stand in text with '+' or ',' between them, length characters of it.
 * NULL, or the first sentence on what is wrong. */
typedef const char *name_setter(void *settings, const char *name, size_t length);
const char *number_each_name(const char *text, name_setter *set, void *settings);

void number_format(uint32_t value, char digits[NUMBER_DIGITS]);

#endif
