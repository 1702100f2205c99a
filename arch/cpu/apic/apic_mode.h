/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which mode the local APIC is to be in, and what that mode can address (F11.1 to F11.4). Pure:
 * every function can be called on the host.
 */
#ifndef ARCH_CPU_APIC_APIC_MODE_H
#define ARCH_CPU_APIC_APIC_MODE_H

#include <stdbool.h>
#include <stdint.h>

#define APIC_BASE_EXTD (1ull << 10) /* of IA32_APIC_BASE (F11.1) */
#define APIC_BASE_EN   (1ull << 11)

/* Why it is not left where it is locked. */
#define APIC_LOCKED                                                                                \
    "the local APIC is locked in x2APIC mode: IA32_XAPIC_DISABLE_STATUS[0] = 1, leaving it raises #GP"

enum apic_mode { APIC_MODE_ABSENT, APIC_MODE_XAPIC, APIC_MODE_X2APIC };

/* Who wants x2APIC mode, beside firmware that has left the APIC in it. */
enum apic_wish {
    APIC_AS_FOUND,
    APIC_X2APIC_IF_OFFERED, /* a processor has an id that xAPIC mode cannot address */
    APIC_X2APIC,            /* a person: then nothing else will do */
};

/*
 * The mode for a processor whose IA32_APIC_BASE is base; offers: CPUID has x2APIC. Never from
 * x2APIC back to xAPIC. APIC_MODE_ABSENT where the wish cannot be met.
 */
enum apic_mode apic_mode_choose(uint64_t base, bool offers, enum apic_wish wish);

/*
 * Can a message be sent to the processor with this APIC id, and to no other? xAPIC mode has eight
 * bits; all ones are everybody, in either mode.
 */
bool apic_mode_reaches(enum apic_mode mode, uint32_t id);

/*
 * The values to write to IA32_APIC_BASE, one after another, to come from base to the mode by legal
 * moves alone: off to xAPIC, xAPIC to x2APIC, x2APIC to off. Returns how many, at most
 * APIC_MOVES_MOST.
 */
#define APIC_MOVES_MOST 2
unsigned apic_mode_moves(uint64_t base, enum apic_mode mode, uint64_t moves[APIC_MOVES_MOST]);

#endif
