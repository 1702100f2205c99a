/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's string functions, under other names beside the C library's. */
#define memcpy  kernel_memcpy
#define memmove kernel_memmove
#define memset  kernel_memset
#define memcmp  kernel_memcmp
#define strlen  kernel_strlen
#define strcmp  kernel_strcmp
#define strncmp kernel_strncmp
#include "arch/lib/string.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen
#undef strcmp
#undef strncmp

#include "arch/lib/words.h"
#include "tests/host/unit/check.h"

#define SIZE 64

static void fill(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i * 7 + 3);
}

static void check_copies(void)
{
    unsigned char from[SIZE], ours[SIZE], theirs[SIZE];

    for (size_t start = 0; start < 9; start++) {
        for (size_t length = 0; start + length <= SIZE; length++) {
            fill(from, SIZE);
            memset(ours, 0, SIZE);
            memset(theirs, 0, SIZE);
            CHECK(kernel_memcpy(ours + start, from, length) == ours + start, "memcpy's value");
            memcpy(theirs + start, from, length);
            CHECK(memcmp(ours, theirs, SIZE) == 0, "memcpy to %zu, %zu bytes", start, length);
            kernel_memset(ours + start, 0x15a, length);
            memset(theirs + start, 0x5a, length);
            CHECK(memcmp(ours, theirs, SIZE) == 0, "memset at %zu, %zu bytes", start, length);
        }
    }
}

static void check_overlap(void)
{
    unsigned char ours[SIZE], theirs[SIZE];

    for (size_t from = 0; from < 20; from++) {
        for (size_t to = 0; to < 20; to++) {
            for (size_t length = 0; length < 40; length++) {
                fill(ours, SIZE);
                fill(theirs, SIZE);
                kernel_memmove(ours + to, ours + from, length);
                memmove(theirs + to, theirs + from, length);
                CHECK(memcmp(ours, theirs, SIZE) == 0, "memmove %zu to %zu, %zu", from, to, length);
            }
        }
    }
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void check_comparisons(void)
{
    static const char *const words[] = {"", "a", "b", "ab", "abc", "abd", "\xff", "a\xff", "aa"};

    for (size_t i = 0; i < 9; i++) {
        CHECK(kernel_strlen(words[i]) == strlen(words[i]), "strlen '%s'", words[i]);
        for (size_t j = 0; j < 9; j++) {
            const char *a = words[i], *b = words[j];

            CHECK(sign(kernel_strcmp(a, b)) == sign(strcmp(a, b)), "strcmp '%s' '%s'", a, b);
            for (size_t n = 0; n < 4; n++)
                CHECK(sign(kernel_strncmp(a, b, n)) == sign(strncmp(a, b, n)), "'%s' '%s' %zu", a,
                      b, n);
        }
    }
    CHECK(kernel_memcmp("a\0b", "a\0c", 3) < 0, "memcmp stops at a zero");
    CHECK(kernel_memcmp("a\0b", "a\0c", 2) == 0, "memcmp reads too far");
}

/* Each length, each place of the first byte that differs, in and behind whole words; what follows
 * it differs the other way. */
static void check_memory_comparisons(void)
{
    unsigned char a[SIZE], b[SIZE];

    for (size_t length = 0; length <= 40; length++) {
        for (size_t place = 0; place <= 40; place++) {
            int expected = place < length ? 1 : 0;

            fill(a, SIZE);
            memset(a + 1 + place, 0, SIZE - 1 - place);
            memcpy(b, a, SIZE);
            memset(b + 1 + place, 9, SIZE - 1 - place);
            a[1 + place] = 0xff;
            b[1 + place] = 0x7f;
            CHECK(sign(kernel_memcmp(a + 1, b + 1, length)) == expected, "memcmp %zu, %zu", length,
                  place);
            CHECK(sign(kernel_memcmp(b + 1, a + 1, length)) == -expected, "memcmp %zu, %zu", length,
                  place);
        }
    }
}

static void check_globs(void)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } rows[] = {
        {"", "", true},
        {"", "a", false},
        {"a", "", false},
        {"*", "", true},
        {"*", "anything", true},
        {"?", "a", true},
        {"?", "", false},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"a*c", "ac", true},
        {"a*c", "abbbc", true},
        {"a*c", "abcd", false},
        {"*c", "abc", true},
        {"*bc", "abcbc", true},
        {"a*b*c", "a12b34c", true},
        {"a*b*c", "a12c", false},
        {"**", "x", true},
        {"ring3.*", "ring3.reads", true},
        {"ring3.*", "ring3", false},
        {"*.*", "a.b", true},
        {"x", "xy", false},
        {"xy", "x", false},
        {"*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CHECK(glob_match(rows[i].pattern, rows[i].name) == rows[i].matches, "'%s' '%s'",
              rows[i].pattern, rows[i].name);
}

int main(void)
{
    check_copies();
    check_overlap();
    check_comparisons();
    check_memory_comparisons();
    check_globs();
    return check_result();
}
