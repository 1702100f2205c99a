/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds a short text piece by piece in a buffer of fixed size; what does not fit is left out. */
#ifndef ARCH_CPU_TEXT_H
#define ARCH_CPU_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    char *at;
    size_t left; /* bytes, terminating zero included */
};

/* size must not be 0. The text is terminated after every call. */
struct text text_start(char *buffer, size_t size);
void text_add(struct text *text, const char *piece);
void text_add_decimal(struct text *text, uint64_t value);

/* At least so many upper-case digits, no prefix, no suffix. */
void text_add_hex(struct text *text, uint64_t value, unsigned digits);

#endif
