/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small printf with %d %i %u %x %X %c %s %p %%, flags '-', '0', '#', width, '*', precision for
 * %s, and lengths l, ll, z, h, hh. %pS prints an address as symbol+offset (symbol_find()).
 */
#ifndef ARCH_LIB_PRINTF_H
#define ARCH_LIB_PRINTF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Like snprintf: returns the full length, and terminates the text if size > 0. */
int format_string(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int format_string_v(char *text, size_t size, const char *format, va_list arguments);

/* For use in a variadic function: formats the arguments that follow its parameter `format` into
 * text. */
#define FORMAT_ARGUMENTS(text, size, format)                                                       \
    do {                                                                                           \
        va_list arguments_;                                                                        \
                                                                                                   \
        va_start(arguments_, format);                                                              \
        format_string_v(text, size, format, arguments_);                                           \
        va_end(arguments_);                                                                        \
    } while (0)

/* Appends to the text in the buffer; cuts off what does not fit. */
void format_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Name of the nearest symbol at or below the address, and the offset from it; NULL outside the
 * image. The table of all labels is embedded at link time. */
const char *symbol_find(uint64_t address, uint64_t *offset);

#endif
