/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flags that a Jcc tests, by the manual's tables of instructions. Each is kept in the form in
 * which instructions produce it (struct flags); an image is the form that it has in RFLAGS.
 */
#ifndef TESTS_RANDOM_INTERPRETER_FLAGS_H
#define TESTS_RANDOM_INTERPRETER_FLAGS_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/random/interpreter.h"

/* Bits of RFLAGS. */
#define IMAGE_CF    0x001u
#define IMAGE_FIXED 0x002u
#define IMAGE_PF    0x004u
#define IMAGE_ZF    0x040u
#define IMAGE_SF    0x080u
#define IMAGE_IF    0x200u
#define IMAGE_OF    0x800u

#define SIGN (1ull << 63)

static inline void set_result(struct flags *flags, uint64_t result)
{
    flags->zero = flags->sign = result;
    flags->parity = (uint8_t)result;
}

static inline bool even_parity(uint8_t value)
{
    value ^= value >> 4;
    return !(0x6996u >> (value & 15) & 1);
}

static inline uint64_t image_of(const struct flags *flags)
{
    return IMAGE_FIXED | IMAGE_IF | (flags->carry ? IMAGE_CF : 0) |
           (even_parity(flags->parity) ? IMAGE_PF : 0) | (flags->zero ? 0 : IMAGE_ZF) |
           (flags->sign & SIGN ? IMAGE_SF : 0) | (flags->overflow ? IMAGE_OF : 0);
}

static inline struct flags flags_of(uint64_t image)
{
    return (struct flags){
        .zero = !(image & IMAGE_ZF),
        .sign = image & IMAGE_SF ? SIGN : 0,
        .parity = !(image & IMAGE_PF),
        .carry = image & IMAGE_CF,
        .overflow = image & IMAGE_OF,
    };
}

/* The even conditions; each odd one is its opposite. */
static inline bool even_condition(const struct flags *flags, unsigned number)
{
    bool sign = flags->sign & SIGN;

    switch (number) {
    case 0:
        return flags->overflow;
    case 2:
        return flags->carry;
    case 4:
        return !flags->zero;
    case 6:
        return flags->carry || !flags->zero;
    case 8:
        return sign;
    case 10:
        return even_parity(flags->parity);
    case 12:
        return sign != flags->overflow;
    default:
        return sign != flags->overflow || !flags->zero;
    }
}

static inline bool condition(const struct flags *flags, unsigned number)
{
    return even_condition(flags, number & ~1u) != (number & 1);
}

static inline uint64_t add(struct flags *flags, uint64_t a, uint64_t b, bool carry)
{
    uint64_t result = a + b + carry;

    flags->carry = ((a & b) | ((a | b) & ~result)) >> 63;
    flags->overflow = ((a ^ result) & (b ^ result)) >> 63;
    set_result(flags, result);
    return result;
}

static inline uint64_t subtract(struct flags *flags, uint64_t a, uint64_t b, bool borrow)
{
    uint64_t result = a - b - borrow;

    flags->carry = ((~a & b) | ((~a | b) & result)) >> 63;
    flags->overflow = ((a ^ b) & (a ^ result)) >> 63;
    set_result(flags, result);
    return result;
}

static inline uint64_t logic(struct flags *flags, uint64_t result)
{
    flags->carry = flags->overflow = false;
    set_result(flags, result);
    return result;
}

/* CF stays. */
static inline uint64_t decrement(struct flags *flags, uint64_t value)
{
    flags->overflow = value == SIGN;
    set_result(flags, value - 1);
    return value - 1;
}

#endif
