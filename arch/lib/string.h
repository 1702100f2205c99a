/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C library's memory and string functions, as far as the compiler and the kernel call them. */
#ifndef ARCH_LIB_STRING_H
#define ARCH_LIB_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
int memcmp(const void *a, const void *b, size_t length);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t length);

#endif
