// SPDX-License-Identifier: GPL-2.0-or-later
/* The local APIC's performance and thermal entries. The big lock is held in each call but the
 * last. */
#ifndef DEBUG_STORE_APIC_H
#define DEBUG_STORE_APIC_H

#include "hw/i386/apic_internal.h"

/* The processor, which has an APIC, requests a PMI (F5.2). Delivery masks the entry (F5.12). */
void debug_store_deliver_pmi(X86CPU *cpu);

/* Would a PMI be delivered as NMI? */
bool debug_store_pmi_is_nmi(X86CPU *cpu);

/* The first: a PMI was delivered with this vector. The second: does a pending PMI move when the
 * entry is rewritten? Sets *vector to the vector of the last PMI delivered. */
void debug_store_pmi_delivered(X86CPU *cpu, uint8_t vector);
bool debug_store_pmi_moves(X86CPU *cpu, uint8_t *vector);

/* A message goes to these APICs: removes those of deaf processors if it is INIT or start-up. */
void debug_store_drop_deaf(uint32_t *destinations, uint8_t mode);
bool debug_store_is_deaf(X86CPU *cpu);

/* Raises an edge-triggered interrupt with this vector, if software has enabled the APIC. */
void debug_store_raise_vector(X86CPU *cpu, uint8_t vector);

/* Switches to x2APIC mode at once. */
void debug_store_enter_x2apic(X86CPU *cpu);

/* Sets the thermal entry to SMI delivery, as firmware does. */
void debug_store_thermal_by_smi(X86CPU *cpu);

/* The thermal entry was written; by_smi: it delivers an SMI and is not masked. */
void debug_store_thermal_written(X86CPU *cpu, bool by_smi);

/* An entry of the local vector table, or the spurious-vector register, was written. */
void debug_store_lvt_written(APICCommonState *s, int entry);
void debug_store_svr_written(APICCommonState *s);

/* WRMSR is about to change IA32_APIC_BASE. The caller does not hold the big lock; this takes it. */
void debug_store_base_changes(APICCommonState *s, uint64_t value);

#endif
