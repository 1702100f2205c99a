/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses values of options: lists, words, numbers, globs. Pure. */
#ifndef ARCH_LIB_WORDS_H
#define ARCH_LIB_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cuts the first word off *rest, where blanks separate words; NULL if none is left. */
char *words_of_line(char **rest);

/* Cuts the first item off *rest, where commas separate items; NULL if none is left. */
char *words_next(char **rest);

/* Cuts text in two at the first such character; returns the second part, NULL if there is none. */
char *words_cut(char *text, char at);

/* Index of value in words, a list that ends in NULL; the index of the NULL if it is not found. */
size_t words_index(const char *value, const char *const *words);

/* Decimal, or hexadecimal after "0x". False unless the whole text is a number. */
bool words_number(const char *text, uint64_t *number);

/* Shell glob over a whole name: '*' any run of characters, '?' one character. */
bool glob_match(const char *pattern, const char *name);

/* Matches only the first length characters of the pattern. */
bool glob_match_part(const char *pattern, size_t length, const char *name);

#endif
