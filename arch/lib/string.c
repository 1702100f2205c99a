/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/lib/string.h"

#include <stdint.h>

/* Unaligned, aliasing word: copies and comparisons go eight bytes at a time. */
typedef uint64_t __attribute__((may_alias, aligned(1))) word;

/* Keeps the compiler from turning a loop below into a call of its own function. */
static inline void keep_loop(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void copy_upward(unsigned char *to, const unsigned char *from, size_t length)
{
    for (; length >= sizeof(word); length -= sizeof(word)) {
        *(word *)to = *(const word *)from;
        to += sizeof(word);
        from += sizeof(word);
        keep_loop();
    }
    while (length-- > 0) {
        *to++ = *from++;
        keep_loop();
    }
}

void *memcpy(void *to, const void *from, size_t length)
{
    copy_upward(to, from, length);
    return to;
}

void *memmove(void *to, const void *from, size_t length)
{
    unsigned char *target = to;
    const unsigned char *source = from;

    /* Upward is safe for a target below the source even when words overlap: each is read first. */
    if ((uintptr_t)target <= (uintptr_t)source) {
        copy_upward(target, source, length);
        return to;
    }
    while (length-- > 0) {
        target[length] = source[length];
        keep_loop();
    }
    return to;
}

void *memset(void *to, int value, size_t length)
{
    unsigned char *target = to;
    uint64_t pattern = (unsigned char)value * 0x0101010101010101ull;

    for (; length >= sizeof(word); length -= sizeof(word)) {
        *(word *)target = pattern;
        target += sizeof(word);
        keep_loop();
    }
    while (length-- > 0) {
        *target++ = (unsigned char)value;
        keep_loop();
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t length)
{
    const unsigned char *left = a;
    const unsigned char *right = b;

    while (length >= sizeof(word) && *(const word *)left == *(const word *)right) {
        length -= sizeof(word);
        left += sizeof(word);
        right += sizeof(word);
        keep_loop();
    }
    for (; length > 0; length--, left++, right++) {
        if (*left != *right)
            return *left - *right;
        keep_loop();
    }
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0') {
        length++;
        keep_loop();
    }
    return length;
}

int strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t length)
{
    for (; length > 0; length--, a++, b++) {
        if (*a != *b || *a == '\0')
            return (unsigned char)*a - (unsigned char)*b;
    }
    return 0;
}
