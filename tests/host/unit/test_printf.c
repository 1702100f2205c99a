/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's printf says what the C library's says. */
#include "arch/lib/printf.h"

#include <limits.h>
#include <stdint.h>

#include "tests/host/unit/check.h"

const uint32_t symbol_count = 2;
const uint32_t symbol_addresses[] = {0x400000, 0x81000000};
const uint32_t symbol_names[] = {0, 5};
const char symbol_strings[] = "user\0kernel_main";

/* The same call to both; text, terminator and returned length must be the same. */
#define SAME(size, ...)                                                                            \
    do {                                                                                           \
        char ours[128], theirs[128];                                                               \
        memset(ours, '~', sizeof(ours));                                                           \
        memset(theirs, '~', sizeof(theirs));                                                       \
        int our_length = format_string(ours, size, __VA_ARGS__);                                   \
        int their_length = snprintf(theirs, size, __VA_ARGS__);                                    \
        CHECK(our_length == their_length, "expected %d, got %d", their_length, our_length);        \
        CHECK(memcmp(ours, theirs, sizeof(ours)) == 0, "expected '%.127s', got '%.127s'", theirs,  \
              ours);                                                                               \
    } while (0)

/* The compiler warns of odd but valid combinations, which are the point here. (Not every clang
 * knows every name of such a warning.) */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#endif
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-truncation"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-overflow"
#pragma GCC diagnostic ignored "-Wformat-extra-args"

static void check_numbers(void)
{
    static const char *const formats[] = {
        "%d",     "%i",   "%u",    "%x",     "%X",      "%#x",  "%#X",   "%5d",   "%-5d|",  "%05d",
        "%-05d|", "%.3d", "%8.3d", "%08.3d", "%-8.3d|", "%08x", "%#08x", "%#10x", "%-#8x|", "%#.6x",
        "%12.8X", "%.0d", "%.0x",  "%hhd",   "%hhu",    "%hd",  "%hx",   "%20d",  "%020d",
    };
    static const int values[] = {0,    1,       -1,      9,      10,      255,        256,
                                 4095, INT_MAX, INT_MIN, 123456, -123456, 0x7fffffff, -32769};

    for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++)
        for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
            SAME(128, formats[f], values[v]);
}

static void check_long_numbers(void)
{
    static const char *const formats[] = {"%ld",    "%lu",     "%lx",     "%llx",   "%zu", "%lld",
                                          "%016lx", "%#018lx", "%-24lu|", "%.20lu", "%zx", "%lX"};
    static const long values[] = {
        0, 1, -1, LONG_MAX, LONG_MIN, (long)0xffffffff80000000, 1L << 32, 999999999999};

    for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++)
        for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
            SAME(128, formats[f], values[v]);
}

static void check_text(void)
{
    SAME(128, "%s", "");
    SAME(128, "%s and %s", "one", "two");
    SAME(128, "%10s|%-10s|%.2s|%10.2s|%-10.2s|", "abc", "abc", "abc", "abc", "abc");
    SAME(128, "%*s|%-*s|%*s|%.*s|%.*s", 6, "ab", 6, "ab", -6, "ab", 1, "ab", -1, "ab");
    SAME(128, "%*d|%.*d|%*.*x", 6, 42, 4, 42, 8, 4, 42);
    SAME(128, "%c%c%3c|%-3c|", 'a', 'b', 'c', 'd');
    SAME(128, "100%% of %d", 3);
    SAME(128, "%s", (char *)NULL);
}

static void check_sizes(void)
{
    for (size_t size = 0; size < 12; size++) {
        SAME(size, "%s", "0123456789");
        SAME(size, "%08x", 0x1234);
        SAME(size, "a%db", 12345);
    }
}

static void check_precision_guards_text(void)
{
    char unterminated[3] = {'a', 'b', 'c'};

    SAME(128, "%.3s", unterminated);
}

static void check_addresses(void)
{
    char text[64];

    format_string(text, sizeof(text), "%p", (void *)0x1234abcd);
    CHECK_TEXT(text, "000000001234abcd");
    format_string(text, sizeof(text), "%pS|", (void *)0x400010);
    CHECK_TEXT(text, "user+0x10|");
    format_string(text, sizeof(text), "%pS", (void *)0xffffffff81000000);
    CHECK_TEXT(text, "kernel_main");
    format_string(text, sizeof(text), "%20pS|%-20pS|", (void *)0x400000, (void *)0x400000);
    CHECK_TEXT(text, "                user|user                |");
    format_string(text, sizeof(text), "%pS", (void *)0xffff800000001234);
    CHECK_TEXT(text, "0xffff800000001234");
    format_string(text, sizeof(text), "%pS", (void *)0x81000000); /* not sign-extended: no place */
    CHECK_TEXT(text, "0x0000000081000000");
    format_string(text, sizeof(text), "%pS", (void *)0x3fffff);
    CHECK_TEXT(text, "0x00000000003fffff");
    format_string(text, sizeof(text), "%pS", (void *)0x500000); /* too far from anything */
    CHECK_TEXT(text, "0x0000000000500000");
}

int main(void)
{
    check_numbers();
    check_long_numbers();
    check_text();
    check_sizes();
    check_precision_guards_text();
    check_addresses();
    return check_result();
}
