/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the local APIC's mode, and says which processors a mode can address (F11.1 to F11.4).
 * Pure: runs on the host too.
 */
#ifndef ARCH_CPU_APIC_APIC_MODE_H
#define ARCH_CPU_APIC_APIC_MODE_H

#include <stdbool.h>
#include <stdint.h>

#define APIC_BASE_EXTD (1ull << 10) /* of IA32_APIC_BASE (F11.1) */
#define APIC_BASE_EN   (1ull << 11)

/* Reason for staying in x2APIC mode when it is locked. */
#define APIC_LOCKED                                                                                \
    "the local APIC is locked in x2APIC mode: IA32_XAPIC_DISABLE_STATUS[0] = 1, leaving it raises #GP"

enum apic_mode { APIC_MODE_ABSENT, APIC_MODE_XAPIC, APIC_MODE_X2APIC };

/* Who asks for x2APIC mode. An APIC that the firmware left in it stays in it anyway. */
enum apic_wish {
    APIC_AS_FOUND,
    APIC_X2APIC_IF_OFFERED, /* a processor has an id that xAPIC mode cannot address */
    APIC_X2APIC,            /* a person: then nothing else will do */
};

/*
 * Mode to use, given the value of IA32_APIC_BASE and whether CPUID offers x2APIC. Never goes from
 * x2APIC back to xAPIC. APIC_MODE_ABSENT if the wish cannot be met.
 */
enum apic_mode apic_mode_choose(uint64_t base, bool offers, enum apic_wish wish);

/*
 * Can the mode send a message to the processor with this APIC id alone? Ids have eight bits in
 * xAPIC mode; all ones address every processor in either mode.
 */
bool apic_mode_reaches(enum apic_mode mode, uint32_t id);

/*
 * Values to write to IA32_APIC_BASE in turn, to get from base to the mode by legal moves only (off
 * to xAPIC, xAPIC to x2APIC, x2APIC to off). Returns their number, at most APIC_MOVES_MOST.
 */
#define APIC_MOVES_MOST 2
unsigned apic_mode_moves(uint64_t base, enum apic_mode mode, uint64_t moves[APIC_MOVES_MOST]);

#endif
