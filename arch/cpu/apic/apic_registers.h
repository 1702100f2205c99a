/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of the local APIC, for the driver's own files; everybody else calls apic.h. Offsets are
 * those of xAPIC mode (F11.3).
 */
#ifndef ARCH_CPU_APIC_APIC_REGISTERS_H
#define ARCH_CPU_APIC_APIC_REGISTERS_H

#include <stdint.h>

#define APIC_ID       0x020u
#define APIC_VERSION  0x030u
#define APIC_TPR      0x080u
#define APIC_EOI      0x0b0u
#define APIC_SVR      0x0f0u
#define APIC_ISR      0x100u
#define APIC_IRR      0x200u
#define APIC_ESR      0x280u
#define APIC_ICR      0x300u
#define APIC_ICR_HIGH 0x310u /* destination; xAPIC only */
#define APIC_TIMER    0x320u
#define APIC_THERMAL  0x330u
#define APIC_PMI      0x340u
#define APIC_LINT0    0x350u
#define APIC_LINT1    0x360u
#define APIC_ERROR    0x370u
#define APIC_INITIAL  0x380u
#define APIC_CURRENT  0x390u
#define APIC_DIVIDE   0x3e0u
#define APIC_SELF     0x3f0u /* x2APIC only */
#define APIC_CMCI     0x2f0u

#define APIC_SVR_ENABLE (1u << 8)

/* In x2APIC mode a register that the mode lacks (F11.2) raises #GP. */
uint32_t apic_read(uint32_t offset);
void apic_write(uint32_t offset, uint32_t value);

/*
 * Masks every LVT entry except those by which the firmware raises SMIs. INIT masks these too. So if
 * the first processor's thermal entry raises SMIs, other processors get a copy of it.
 */
void apic_put_entries_right(void);

#endif
