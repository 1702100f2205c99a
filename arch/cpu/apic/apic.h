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
#include <stdint.h>
#include "arch/cpu/apic/apic_mode.h"

enum apic_delivery { APIC_DELIVERY_FIXED = 0, APIC_DELIVERY_NMI = 4 };

#define APIC_LVT_STATUS   (1u << 12)
#define APIC_LVT_POLARITY (1u << 13) /* of LINT0 and LINT1: active low */
#define APIC_LVT_LEVEL    (1u << 15) /* likewise */
#define APIC_LVT_MASKED   (1u << 16)

/*
 * Enables the APIC with its spurious vector before any LVT entry is written (F5.15), then masks
 * every entry except those that raise SMIs (firmware_lvt.h). Sets the wished mode if it can, else
 * keeps the one it finds; ask apic_mode() afterwards. Needs paging_init(). Returns NULL or the
 * reason it failed.
 */
const char *apic_init(enum apic_wish wish);

/* If called before apic_init(), the performance LVT entry stays as the firmware left it. */
void apic_leave_pmi_alone(void);

/* apic_init() for another processor, which calls this itself; it gets the mode of the first. */
const char *apic_init_other(void);

/* Mode of the running processor's APIC. */
enum apic_mode apic_mode(void);

/*
 * Does IA32_XAPIC_DISABLE_STATUS lock the running processor in x2APIC mode? Leaving the mode or
 * switching the APIC off would then raise #GP (F24.12), so neither is tried.
 */
bool apic_mode_is_locked(void);

/* Moves only the running processor to x2APIC mode, until it calls apic_init_other(). Needs IF = 0
 * and FEATURE_X2APIC. Returns NULL or the reason it failed. */
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

/* The handler calls this. It says that this delivery has set the mask bit. */
void apic_pmi_has_come(void);

/* Has the processor set the mask bit since the last call above, as it does on delivery, although
 * the interrupt is neither pending nor in service at its vector? Always false when delivered as an
 * NMI. */
bool apic_pmi_went_astray(void);
uint32_t apic_pmi_raw(void);

/* The whole entry. Delivery status is read in xAPIC mode only. */
uint32_t apic_pmi_read(void);
void apic_pmi_write(uint32_t entry);

/* Entry of the pin LINT0, which stays masked, without its delivery status. */
uint32_t apic_lint0(void);
void apic_lint0_write(uint32_t entry);

/* Is the vector pending (IRR), or in service (ISR)? */
bool apic_is_pending(uint8_t vector);
bool apic_in_service(uint8_t vector);

/* One-shot timer: raises VECTOR_TIMER after ticks * 16 APIC bus cycles; 0 stops it. */
void apic_timer_start(uint32_t ticks);
uint32_t apic_timer_remaining(void);

/* Sends the vector to the running processor. */
void apic_self_ipi(uint8_t vector);

/*
 * Sends INIT, or the start-up message that makes a processor begin at page * 4096 in real-address
 * mode (F10.34), to another processor; never to the running one (F10.33). Returns false if the
 * message was not sent.
 */
bool apic_send_init(uint32_t id);
bool apic_send_startup(uint32_t id, uint8_t page);

/* Sends an NMI, likewise. */
bool apic_send_nmi(uint32_t id);

/* Reads and clears the error status: errors of messages since the last call. */
uint32_t apic_take_errors(void);

/* Can the current mode send a message to this processor alone? */
bool apic_can_address(uint32_t id);

/*
 * For assembly that sends itself an NMI by one store or WRMSR of APIC_ICR_NMI. Returns the address
 * of the interrupt command register in xAPIC mode, the destination (EDX for APIC_X2_ICR) in x2APIC
 * mode.
 */
uint64_t apic_prepare_self_nmi(void);

#endif
#endif
