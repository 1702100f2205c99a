// SPDX-License-Identifier: GPL-2.0-or-later
/* Decimal numbers and lists of names as text, for users' options. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are the first `length` characters of `text` a number up to `maximum`? Then sets *value. */
bool number_parse(const char *text, size_t length, uint32_t maximum, uint32_t *value);

/* Are the first `length` characters "1/N", N from 1 to NUMBER_CHANCE_LARGEST? Then sets *n to N. */
bool number_parse_chance(const char *text, size_t length, uint32_t *n);

#define NUMBER_CHANCE_LARGEST 1000000000u
#define NUMBER_CHANCE_WRONG   "after the colon comes 1/N, N from 1 to 1000000000"

/* number_each_name() calls set() for each name in `text`, where '+' or ',' separates names; length:
 * of the name. Both return NULL, or a sentence that says what is wrong. */
typedef const char *name_setter(void *settings, const char *name, size_t length);
const char *number_each_name(const char *text, name_setter *set, void *settings);

#endif
