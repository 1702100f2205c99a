/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the value of an option apart: a list, a word of several, a number. Pure. */
#ifndef KERNEL_WORDS_H
#define KERNEL_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What separates the words of a command line. */
bool words_is_blank(char c);

/* Cuts the first of a comma list off *rest; NULL when there is none any more. */
char *words_next(char **rest);

/* Index of value among words, which are count of them; count when it is none. */
size_t words_index(const char *value, const char *const *words, size_t count);

/* Decimal, or hexadecimal after "0x"; the whole text must be the number. */
bool words_number(const char *text, uint64_t *number);

#endif
