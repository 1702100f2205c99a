/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the value of an option apart: a list, a word of several, a number. Pure. */
#ifndef ARCH_LIB_WORDS_H
#define ARCH_LIB_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cuts the first word off *rest, which is a line with blanks between; NULL when it has no more. */
char *words_of_line(char **rest);

/* Cuts the first of a comma list off *rest; NULL when there is none any more. */
char *words_next(char **rest);

/* Cuts text in two at the first such character; returns what is behind it, NULL when it has none.
 */
char *words_cut(char *text, char at);

/* Index of value among words, which end in NULL; that of the NULL when it is none of them. */
size_t words_index(const char *value, const char *const *words);

/* Decimal, or hexadecimal after "0x"; the whole text must be the number. */
bool words_number(const char *text, uint64_t *number);

#endif
