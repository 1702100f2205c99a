/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small printf: %d %i %u %x %X %c %s %p %% with flags '-', '0', '#', width, '*', precision for
 * %s, lengths l, ll, z, h, hh. One extension: %pS prints an address as symbol+offset
 * (arch/lib/symbols.h).
 */
#ifndef ARCH_LIB_PRINTF_H
#define ARCH_LIB_PRINTF_H

#include <stdarg.h>
#include <stddef.h>

/* As the C library's: returns the length wanted, terminates when size > 0. */
int format_string(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int format_string_v(char *text, size_t size, const char *format, va_list arguments);

/* For a function with a format and "..." of its own: those of its arguments that are behind it. */
#define FORMAT_ARGUMENTS(text, size, format)                                                       \
    do {                                                                                           \
        va_list arguments_;                                                                        \
                                                                                                   \
        va_start(arguments_, format);                                                              \
        format_string_v(text, size, format, arguments_);                                           \
        va_end(arguments_);                                                                        \
    } while (0)

/* Writes behind the text that the buffer holds already; what does not fit is left out. */
void format_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
