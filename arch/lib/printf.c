/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/lib/printf.h"

#include <stdbool.h>

#include "arch/lib/string.h"

#define DIGITS_SIZE 24 /* 2^64 has 20 decimal digits */
#define NAME_SIZE   96

/* Text being written: counts on past the end, as the return value of snprintf does. */
struct output {
    char *text;
    size_t size;
    size_t length;
};

struct conversion {
    bool left, zero, alternate, has_precision;
    size_t width, precision;
    int long_count; /* 'l' and 'z' as 1, 'll' as 2, 'h' as -1, 'hh' as -2 */
};

static void put(struct output *out, char c)
{
    if (out->length + 1 < out->size)
        out->text[out->length] = c;
    out->length++;
}

static void put_repeated(struct output *out, char c, size_t count)
{
    while (count-- > 0)
        put(out, c);
}

static void put_padded(struct output *out, const struct conversion *how, const char *text,
                       size_t length)
{
    size_t padding = how->width > length ? how->width - length : 0;

    if (!how->left)
        put_repeated(out, ' ', padding);
    for (size_t i = 0; i < length; i++)
        put(out, text[i]);
    if (how->left)
        put_repeated(out, ' ', padding);
}

static size_t digits_of(uint64_t value, unsigned base, bool upper, char digits[DIGITS_SIZE])
{
    const char *symbols = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char reversed[DIGITS_SIZE];
    size_t length = 0;

    do {
        reversed[length++] = symbols[value % base];
        value /= base;
    } while (value != 0);
    for (size_t i = 0; i < length; i++)
        digits[i] = reversed[length - 1 - i];
    return length;
}

/* Prefix ("-", "0x"), then zeros up to precision or width, then digits. */
static void put_number(struct output *out, const struct conversion *how, const char *prefix,
                       const char *digits, size_t length)
{
    size_t prefix_length = strlen(prefix);
    size_t zeros = how->has_precision && how->precision > length ? how->precision - length : 0;
    size_t padding;

    if (how->zero && !how->left && !how->has_precision && how->width > prefix_length + length)
        zeros = how->width - prefix_length - length;
    padding = prefix_length + zeros + length;
    padding = how->width > padding ? how->width - padding : 0;
    if (!how->left)
        put_repeated(out, ' ', padding);
    while (*prefix != '\0')
        put(out, *prefix++);
    put_repeated(out, '0', zeros);
    for (size_t i = 0; i < length; i++)
        put(out, digits[i]);
    if (how->left)
        put_repeated(out, ' ', padding);
}

static void put_unsigned(struct output *out, const struct conversion *how, uint64_t value,
                         unsigned base, bool upper, bool negative)
{
    char digits[DIGITS_SIZE];
    size_t length = digits_of(value, base, upper, digits);
    const char *prefix = negative ? "-" : "";

    if (base == 16 && how->alternate && value != 0)
        prefix = upper ? "0X" : "0x";
    if (how->has_precision && how->precision == 0 && value == 0)
        length = 0;
    put_number(out, how, prefix, digits, length);
}

static uint64_t take_unsigned(const struct conversion *how, va_list *arguments)
{
    if (how->long_count > 0)
        return va_arg(*arguments, unsigned long);
    if (how->long_count == 0)
        return va_arg(*arguments, unsigned);
    if (how->long_count == -1)
        return (unsigned short)va_arg(*arguments, unsigned);
    return (unsigned char)va_arg(*arguments, unsigned);
}

static int64_t take_signed(const struct conversion *how, va_list *arguments)
{
    if (how->long_count > 0)
        return va_arg(*arguments, long);
    if (how->long_count == 0)
        return va_arg(*arguments, int);
    if (how->long_count == -1)
        return (short)va_arg(*arguments, int);
    return (signed char)va_arg(*arguments, int);
}

static void put_string(struct output *out, const struct conversion *how, const char *text)
{
    size_t length = 0;

    if (text == NULL)
        text = "(null)";
    while ((!how->has_precision || length < how->precision) && text[length] != '\0')
        length++;
    put_padded(out, how, text, length);
}

/* "ds_build+0x1c", or the bare address where no symbol is near. */
static void put_symbol(struct output *out, const struct conversion *how, uint64_t address)
{
    char text[NAME_SIZE];
    uint64_t offset = 0;
    const char *name = symbol_find(address, &offset);

    if (name == NULL)
        format_string(text, sizeof(text), "0x%016lx", address);
    else
        format_string(text, sizeof(text), offset == 0 ? "%s" : "%s+0x%lx", name, offset);
    put_padded(out, how, text, strlen(text));
}

/* %p and %pS; returns how many characters of the format it used beyond the 'p'. */
static size_t put_pointer(struct output *out, struct conversion *how, const char *after,
                          uint64_t address)
{
    if (*after == 'S') {
        put_symbol(out, how, address);
        return 1;
    }
    how->has_precision = true;
    how->precision = 16;
    put_unsigned(out, how, address, 16, false, false);
    return 0;
}

static const char *parse_number(const char *format, size_t *number)
{
    *number = 0;
    while (*format >= '0' && *format <= '9')
        *number = *number * 10 + (size_t)(*format++ - '0');
    return format;
}

static const char *parse_flags(const char *format, struct conversion *how)
{
    for (;; format++) {
        if (*format == '-')
            how->left = true;
        else if (*format == '0')
            how->zero = true;
        else if (*format == '#')
            how->alternate = true;
        else
            return format;
    }
}

static const char *parse_width(const char *format, struct conversion *how, va_list *arguments)
{
    int width;

    if (*format != '*')
        return parse_number(format, &how->width);
    width = va_arg(*arguments, int);
    how->left = how->left || width < 0;
    how->width = (size_t)(width < 0 ? -(long)width : width);
    return format + 1;
}

static const char *parse_precision(const char *format, struct conversion *how, va_list *arguments)
{
    int precision;

    if (*format != '.')
        return format;
    how->has_precision = true;
    if (format[1] != '*')
        return parse_number(format + 1, &how->precision);
    precision = va_arg(*arguments, int);
    how->has_precision = precision >= 0;
    how->precision = (size_t)(precision < 0 ? 0 : precision);
    return format + 2;
}

static const char *parse_length(const char *format, struct conversion *how)
{
    for (;; format++) {
        if (*format == 'l' || *format == 'z')
            how->long_count++;
        else if (*format == 'h')
            how->long_count--;
        else
            return format;
    }
}

static void put_signed(struct output *out, const struct conversion *how, int64_t value)
{
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;

    put_unsigned(out, how, magnitude, 10, false, value < 0);
}

/* One conversion, format behind its '%'. Returns the format behind the conversion. */
static const char *convert(struct output *out, const char *format, va_list *arguments)
{
    struct conversion how = {0};

    format = parse_flags(format, &how);
    format = parse_width(format, &how, arguments);
    format = parse_precision(format, &how, arguments);
    format = parse_length(format, &how);
    if (*format == 'd' || *format == 'i')
        put_signed(out, &how, take_signed(&how, arguments));
    else if (*format == 'u')
        put_unsigned(out, &how, take_unsigned(&how, arguments), 10, false, false);
    else if (*format == 'x' || *format == 'X')
        put_unsigned(out, &how, take_unsigned(&how, arguments), 16, *format == 'X', false);
    else if (*format == 's')
        put_string(out, &how, va_arg(*arguments, const char *));
    else if (*format == 'c')
        put_padded(out, &how, (char[]){(char)va_arg(*arguments, int)}, 1);
    else if (*format == 'p')
        format += put_pointer(out, &how, format + 1, (uint64_t)va_arg(*arguments, void *));
    else if (*format != '\0')
        put(out, *format); /* "%%", and anything unknown as itself */
    return *format == '\0' ? format : format + 1;
}

int format_string_v(char *text, size_t size, const char *format, va_list arguments)
{
    struct output out = {text, size, 0};
    va_list copy;

    va_copy(copy, arguments); /* a va_list parameter may be an array: no address of it */
    while (*format != '\0') {
        if (*format == '%')
            format = convert(&out, format + 1, &copy);
        else
            put(&out, *format++);
    }
    va_end(copy);
    if (size > 0)
        text[out.length < size ? out.length : size - 1] = '\0';
    return (int)out.length;
}

int format_string(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = format_string_v(text, size, format, arguments);
    va_end(arguments);
    return length;
}

void format_append(char *text, size_t size, const char *format, ...)
{
    size_t used = size > 0 ? strlen(text) : 0;

    FORMAT_ARGUMENTS(text + used, size - used, format);
}
