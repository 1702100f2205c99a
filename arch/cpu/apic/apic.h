/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Driver of the local APIC, in the mode the firmware left it in (xAPIC or x2APIC, F11.1 to F11.6).
 * Register offsets are those of xAPIC mode; the x2APIC numbers follow from them (F11.2).
 */
#ifndef ARCH_CPU_APIC_APIC_H
#define ARCH_CPU_APIC_APIC_H

/* Usable from assembly. */
#define APIC_ICR_NMI 0x4400 /* assert, delivery mode NMI, physical destination */
#define APIC_X2_ICR  0x830

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Chooses the local APIC's mode, and says which processors a mode can address (F11.1 to F11.4).
 * Pure: runs on the host too.
 */

#define APIC_BASE_EXTD (1ull << 10) /* of IA32_APIC_BASE (F11.1) */
#define APIC_BASE_EN   (1ull << 11)

/* Reason for staying in x2APIC mode when it is locked. */
#define APIC_LOCKED                                                                                \
    "the local APIC is locked in x2APIC mode: IA32_XAPIC_DISABLE_STATUS[0] = 1, leaving it raises #GP"

enum apic_mode { APIC_MODE_ABSENT, APIC_MODE_XAPIC, APIC_MODE_X2APIC };

/* When to use x2APIC mode. An APIC that the firmware left in that mode stays in it anyway. */
enum apic_wish {
    APIC_AS_FOUND,
    APIC_X2APIC_IF_OFFERED, /* if offered: a processor has an id that xAPIC mode cannot address */
    APIC_X2APIC,            /* the user asked for it: no other mode will do */
};

/*
 * Mode to use, given the value of IA32_APIC_BASE and whether CPUID offers x2APIC. Never goes from
 * x2APIC back to xAPIC. APIC_MODE_ABSENT if the wish cannot be met.
 */
enum apic_mode apic_mode_choose(uint64_t base, bool offers, enum apic_wish wish);

/*
 * Can the mode send a message to only the processor with this APIC id? Ids have eight bits in xAPIC
 * mode; all ones address every processor in either mode.
 */
bool apic_mode_reaches(enum apic_mode mode, uint32_t id);

/*
 * Values to write to IA32_APIC_BASE in turn, to get from base to the mode by legal moves only (off
 * to xAPIC, xAPIC to x2APIC, x2APIC to off). Returns their number, at most APIC_MOVES_MOST.
 */
#define APIC_MOVES_MOST 2
unsigned apic_mode_moves(uint64_t base, enum apic_mode mode, uint64_t moves[APIC_MOVES_MOST]);

enum apic_delivery { APIC_DELIVERY_FIXED = 0, APIC_DELIVERY_NMI = 4 };

#define APIC_LVT_STATUS   (1u << 12)
#define APIC_LVT_POLARITY (1u << 13) /* of LINT0 and LINT1: active low */
#define APIC_LVT_LEVEL    (1u << 15) /* of LINT0 and LINT1: level-triggered */
#define APIC_LVT_MASKED   (1u << 16)

/*
 * Enables the APIC with its spurious vector before any LVT entry is written (F5.15), then masks
 * every entry except those that raise SMIs (firmware_lvt()). Ask apic_mode() afterwards. Needs
 * paging_init(). Returns NULL, or the reason it failed. If the wish cannot be met, it sets up the
 * mode that it finds, and returns that as the reason.
 */
const char *apic_init(enum apic_wish wish);

/* If called before apic_init(), the performance LVT entry stays as the firmware left it. */
void apic_leave_pmi_alone(void);

/* apic_init() on every other processor. Sets the mode that the first processor has. */
const char *apic_init_other(void);

/* Mode of the running processor's APIC. */
enum apic_mode apic_mode(void);

/*
 * Does IA32_XAPIC_DISABLE_STATUS lock the running processor in x2APIC mode? Leaving the mode or
 * switching the APIC off would then raise #GP (F24.12), so neither is tried.
 */
bool apic_mode_is_locked(void);

/* Moves only the running processor to x2APIC mode; apic_init_other() moves it back. Needs IF = 0
 * and FEATURE_X2APIC. Returns NULL, or the reason it failed. */
const char *apic_visit_x2apic(void);

uint32_t apic_id(void);
void apic_eoi(void);

/* Ends every interrupt in service, to recover from a hung handler. */
void apic_end_all(void);

/* Performance LVT entry (340H, F5.10). The processor sets its mask bit on delivery (F5.12). */
void apic_pmi_program(enum apic_delivery delivery, uint8_t vector);
void apic_pmi_mask(void);
void apic_pmi_unmask(void);
bool apic_pmi_is_masked(void);

/* For the handler of the performance interrupt: its delivery explains that the mask bit is set. */
void apic_pmi_has_come(void);

/* Has the processor set the mask bit, as it does on delivery, without apic_pmi_has_come() since the
 * kernel unmasked the entry, and although the interrupt is neither pending nor in service at its
 * vector? False if the entry delivers NMIs. */
bool apic_pmi_went_astray(void);

/* The entry without its delivery status. */
uint32_t apic_pmi_raw(void);

/* The whole entry. Write its delivery status as 0, because x2APIC mode reserves that bit. */
uint32_t apic_pmi_read(void);
void apic_pmi_write(uint32_t entry);

/* Entry of the pin LINT0, without its delivery status. It stays masked whatever is written. */
uint32_t apic_lint0(void);
void apic_lint0_write(uint32_t entry);

/* Is the vector pending (IRR), or in service (ISR)? */
bool apic_is_pending(uint8_t vector);
bool apic_in_service(uint8_t vector);

/* One-shot timer: raises VECTOR_TIMER after ticks * 16 APIC bus cycles; 0 stops it. */
void apic_timer_start(uint32_t ticks);
uint32_t apic_timer_remaining(void); /* ticks */

/* Sends the vector to the running processor. */
void apic_self_ipi(uint8_t vector);

/*
 * Sends INIT, or the start-up message that makes a processor begin at page * 4096 in real-address
 * mode (F10.34), to another processor; never to the running one (F10.33). Returns false if the
 * message was not sent.
 */
bool apic_send_init(uint32_t id);
bool apic_send_startup(uint32_t id, uint8_t page);

/* Sends an NMI to a processor, which may be the running one. Returns false if it was not sent. */
bool apic_send_nmi(uint32_t id);

/* Reads and clears the error status: errors of messages since the last call. */
uint32_t apic_take_errors(void);

/*
 * For assembly that sends itself an NMI by one store or WRMSR of APIC_ICR_NMI. Returns the address
 * of the interrupt command register in xAPIC mode, the destination (EDX for APIC_X2_ICR) in x2APIC
 * mode.
 */
uint64_t apic_prepare_self_nmi(void);

/*
 * Entries of a local APIC or of an I/O APIC's pins by which the firmware raises SMIs; most portable
 * machines regulate heat this way. If such an entry is masked or moved, the firmware may wait in
 * system management mode for ever (F25.31), so each stays as it was found.
 */

/* Both kinds hold the delivery mode in bits 10:8 (F5.10, F11.10). Ignores the mask bit. */
static inline bool entry_raises_smi(uint32_t entry)
{
    return (entry >> 8 & 7) == 2;
}

/* For the log: what and number name the entry ("local APIC entry" 330H, "I/O APIC pin" 9). */
struct firmware_lvt {
    const char *what;
    uint32_t number, entry;
};

void firmware_lvt_note(const char *what, uint32_t number, uint32_t entry);

/* The entries noted, in that order: `number` counts from 0. NULL past the last; entries beyond the
 * table's room are lost. */
const struct firmware_lvt *firmware_lvt(size_t number);

/*
 * Switches the running processor's local APIC off and on again, by software in its spurious-vector
 * register (F5.15) or as a whole in IA32_APIC_BASE (F11.1). IF must be clear for the whole time.
 * Switching it on restores the timer and every LVT entry except the performance entry.
 */

void apic_software_off(void);
void apic_software_on(void);

/* State of the APIC after it is switched on, before any write to it. */
struct apic_found {
    bool enabled; /* by software */
    uint32_t pmi; /* the performance entry */
};

/* Returns NULL, or the reason why nothing was changed. */
const char *apic_power_off(void);

/* Is it on? While it is off its registers are gone: in x2APIC mode reading one raises #GP. */
bool apic_has_power(void);

/* Restores the mode too. Returns NULL, or the reason why the APIC does not come back. */
const char *apic_power_on(struct apic_found *found);

/* Writes IA32_APIC_BASE with the value it has. Returns false if the write raises an exception. */
bool apic_base_write_again(void);

#endif
#endif
