/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The local APIC behind one interface, in whichever mode the firmware left it (xAPIC or x2APIC,
 * F11.1 to F11.6). Offsets are the xAPIC ones; x2APIC numbers follow from them (F11.2).
 */
#ifndef ARCH_CPU_APIC_APIC_H
#define ARCH_CPU_APIC_APIC_H

/* Usable from assembly. */
#define APIC_ICR_NMI 0x4400 /* assert, delivery mode NMI, physical destination */
#define APIC_X2_ICR  0x830

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/apic/apic_mode.h"

enum apic_delivery { APIC_DELIVERY_FIXED = 0, APIC_DELIVERY_NMI = 4 };

#define APIC_LVT_STATUS   (1u << 12)
#define APIC_LVT_POLARITY (1u << 13) /* of LINT0 and LINT1: active low */
#define APIC_LVT_LEVEL    (1u << 15) /* likewise */
#define APIC_LVT_MASKED   (1u << 16)

/*
 * Enables the APIC with its spurious vector before any LVT is touched (F5.15), masks every LVT but
 * those that raise SMIs (left_alone.h).
 * The mode is the wish's: look at apic_mode() afterwards. Needs paging_init().
 * Returns NULL or the reason it failed; where the wish cannot be met, the mode is the one found.
 */
const char *apic_init(enum apic_wish wish);

/* Before apic_init(): then the performance LVT entry stays as the firmware left it. */
void apic_leave_pmi_alone(void);

/* The same for one more processor, the running one, which is brought to the same mode. */
const char *apic_init_other(void);

/* The running processor's. */
enum apic_mode apic_mode(void);

/*
 * Does IA32_XAPIC_DISABLE_STATUS keep the running processor in x2APIC mode? Leaving it, off being
 * part of the way, then raises #GP (F24.12): it is not tried.
 */
bool apic_mode_is_locked(void);

/* Moves the running processor alone to x2APIC mode, until apic_init_other() there. IF = 0, and
 * FEATURE_X2APIC. NULL, or why not. */
const char *apic_visit_x2apic(void);

uint32_t apic_id(void);
void apic_eoi(void);

/* Ends every interrupt in service (recovery from a hung handler). */
void apic_end_all(void);

/* Performance LVT (340H, F5.10). The processor sets the mask bit itself on delivery (F5.12). */
void apic_pmi_program(enum apic_delivery delivery, uint8_t vector);
void apic_pmi_mask(void);
void apic_pmi_unmask(void);
bool apic_pmi_is_masked(void);

/* Its handler says so: the mask bit that the processor has set is that delivery's. */
void apic_pmi_has_come(void);

/* Did the processor mask it itself since the last of these calls, as it does on delivery, and yet
 * the interrupt is neither waiting nor being served where it belongs? As an NMI it is never seen
 * to. */
bool apic_pmi_went_astray(void);
uint32_t apic_pmi_raw(void);

/* The whole entry, delivery status included, which is read only in xAPIC mode. */
uint32_t apic_pmi_read(void);
void apic_pmi_write(uint32_t entry);

/* The entry of a pin that nothing here lets in: it stays masked. Without delivery status. */
uint32_t apic_lint0(void);
void apic_lint0_write(uint32_t entry);

/* Is the vector waiting (IRR) or being served (ISR)? */
bool apic_is_pending(uint8_t vector);
bool apic_in_service(uint8_t vector);

/* One-shot timer at VECTOR_TIMER after so many APIC bus ticks / 16; 0 stops it. */
void apic_timer_start(uint32_t ticks);
uint32_t apic_timer_remaining(void);

/* Sends the vector to this processor itself. */
void apic_self_ipi(uint8_t vector);

/*
 * INIT, and the start-up message that lets the processor begin at page * 4096 in real-address mode
 * (F10.34), to the processor with this APIC id; never to the running one (F10.33). False when the
 * message did not leave.
 */
bool apic_send_init(uint32_t id);
bool apic_send_startup(uint32_t id, uint8_t page);

/* An NMI, likewise. */
bool apic_send_nmi(uint32_t id);

/* The error status: what went wrong with messages since it was asked last. */
uint32_t apic_take_errors(void);

/* Can a message be sent to it, and to no other, in this mode? */
bool apic_can_address(uint32_t id);

/*
 * For assembly that sends itself an NMI by one store or WRMSR of APIC_ICR_NMI: the interrupt
 * command register's address in xAPIC mode; in x2APIC mode EDX for APIC_X2_ICR, the destination.
 */
uint64_t apic_prepare_self_nmi(void);

#endif
#endif
