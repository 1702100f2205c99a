// SPDX-License-Identifier: GPL-2.0-or-later
/* The local APIC's performance and thermal entries. The big lock is held in each call but the last.
 */
#ifndef DEBUG_STORE_APIC_H
#define DEBUG_STORE_APIC_H

#include "hw/i386/apic_internal.h"

/* The processor, which has an APIC, requests a PMI (F5.2); the delivery masks the entry (F5.12). */
void debug_store_deliver_pmi(X86CPU *cpu);

/* Whether it would come as NMI. */
bool debug_store_pmi_is_nmi(X86CPU *cpu);

/* The delivered vector, and where it moves to when the entry is rewritten; false: it stays. */
void debug_store_pmi_delivered(X86CPU *cpu, uint8_t vector);
bool debug_store_pmi_moves(X86CPU *cpu, uint8_t *vector);

/* A message is on its way to these APICs: those of deaf processors get no INIT, and no start-up
 * message. */
void debug_store_drop_deaf(uint32_t *destinations, uint8_t mode);
bool debug_store_is_deaf(X86CPU *cpu);

/* An interrupt with this vector, by edge; none where software has not enabled the APIC. */
void debug_store_raise_vector(X86CPU *cpu, uint8_t vector);

/* To x2APIC mode, whatever the processor does at present. */
void debug_store_enter_x2apic(X86CPU *cpu);

/* The thermal entry becomes an SMI, as firmware sets it. */
void debug_store_thermal_by_smi(X86CPU *cpu);

/* It has been written, and is an SMI that can come, or not. */
void debug_store_thermal_written(X86CPU *cpu, bool by_smi);

/* An entry of the vector table, the spurious-vector register has just been written. */
void debug_store_lvt_written(APICCommonState *s, int entry);
void debug_store_svr_written(APICCommonState *s);

/* WRMSR is about to change IA32_APIC_BASE, without the big lock: it is taken here. */
void debug_store_base_changes(APICCommonState *s, uint64_t value);

#endif
