/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function for each instruction, without any policy. */
#ifndef ARCH_CPU_GROUND_INSN_H
#define ARCH_CPU_GROUND_INSN_H

#include <stdint.h>

struct cpuid_result {
    uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid_result insn_cpuid(uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_result r;
    __asm__ volatile("cpuid"
                     : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
                     : "a"(leaf), "c"(subleaf)
                     : "memory");
    return r;
}

static inline uint64_t insn_rdtsc(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static inline uint8_t insn_in8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint16_t insn_in16(uint16_t port)
{
    uint16_t value;
    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint32_t insn_in32(uint16_t port)
{
    uint32_t value;
    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline void insn_out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void insn_out16(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void insn_out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

/* Loads and stores of exactly this width, as device registers require. */
static inline uint8_t insn_load8(const volatile void *address)
{
    uint8_t value;
    __asm__ volatile("movb (%1), %0" : "=q"(value) : "r"(address) : "memory");
    return value;
}

static inline uint16_t insn_load16(const volatile void *address)
{
    uint16_t value;
    __asm__ volatile("movw (%1), %0" : "=r"(value) : "r"(address) : "memory");
    return value;
}

static inline uint32_t insn_load32(const volatile void *address)
{
    uint32_t value;
    __asm__ volatile("movl (%1), %0" : "=r"(value) : "r"(address) : "memory");
    return value;
}

static inline void insn_store8(volatile void *address, uint8_t value)
{
    __asm__ volatile("movb %0, (%1)" : : "q"(value), "r"(address) : "memory");
}

static inline void insn_store16(volatile void *address, uint16_t value)
{
    __asm__ volatile("movw %0, (%1)" : : "r"(value), "r"(address) : "memory");
}

static inline void insn_store32(volatile void *address, uint32_t value)
{
    __asm__ volatile("movl %0, (%1)" : : "r"(value), "r"(address) : "memory");
}

static inline void insn_cli(void)
{
    __asm__ volatile("cli" : : : "memory");
}

/* Interrupts are recognised after the next instruction, not before. */
static inline void insn_sti(void)
{
    __asm__ volatile("sti" : : : "memory");
}

static inline void insn_hlt(void)
{
    __asm__ volatile("hlt" : : : "memory");
}

/* STI directly before HLT: an interrupt cannot arrive in between and leave us halted. */
static inline void insn_sti_hlt(void)
{
    __asm__ volatile("sti\n\thlt" : : : "memory");
}

static inline void insn_pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}

/* Earlier stores are globally visible before any later instruction, WRMSR included, executes. */
static inline void insn_mfence_lfence(void)
{
    __asm__ volatile("mfence\n\tlfence" : : : "memory");
}

static inline void insn_wbinvd(void)
{
    __asm__ volatile("wbinvd" : : : "memory");
}

static inline uint64_t insn_read_rflags(void)
{
    uint64_t value;
    __asm__ volatile("pushfq\n\tpopq %0" : "=r"(value) : : "memory");
    return value;
}

static inline void insn_write_rflags(uint64_t value)
{
    __asm__ volatile("pushq %0\n\tpopfq" : : "r"(value) : "memory", "cc");
}

static inline uint64_t insn_read_cr0(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr0, %0" : "=r"(value) : : "memory");
    return value;
}

static inline uint64_t insn_read_cr2(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr2, %0" : "=r"(value) : : "memory");
    return value;
}

static inline uint64_t insn_read_cr3(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr3, %0" : "=r"(value) : : "memory");
    return value;
}

static inline uint64_t insn_read_cr4(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr4, %0" : "=r"(value) : : "memory");
    return value;
}

static inline void insn_write_cr0(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr0" : : "r"(value) : "memory");
}

static inline void insn_write_cr3(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(value) : "memory");
}

static inline void insn_write_cr4(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr4" : : "r"(value) : "memory");
}

static inline uint64_t insn_read_dr6(void)
{
    uint64_t value;
    __asm__ volatile("mov %%dr6, %0" : "=r"(value) : : "memory");
    return value;
}

static inline void insn_write_dr6(uint64_t value)
{
    __asm__ volatile("mov %0, %%dr6" : : "r"(value) : "memory");
}

static inline uint64_t insn_read_dr7(void)
{
    uint64_t value;
    __asm__ volatile("mov %%dr7, %0" : "=r"(value) : : "memory");
    return value;
}

static inline void insn_write_dr7(uint64_t value)
{
    __asm__ volatile("mov %0, %%dr7" : : "r"(value) : "memory");
}

static inline void insn_invlpg(const void *address)
{
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

struct table_pointer { /* what LGDT and LIDT read */
    uint16_t limit;
    uint64_t base;
} __attribute__((packed));

static inline void insn_lgdt(const struct table_pointer *pointer)
{
    __asm__ volatile("lgdt %0" : : "m"(*pointer) : "memory");
}

static inline void insn_lidt(const struct table_pointer *pointer)
{
    __asm__ volatile("lidt %0" : : "m"(*pointer) : "memory");
}

static inline void insn_ltr(uint16_t selector)
{
    __asm__ volatile("ltr %0" : : "r"(selector) : "memory");
}

/* Loads CS by a far return, SS by a move; the data segments become null. */
static inline void insn_load_segments(uint16_t code, uint16_t stack)
{
    __asm__ volatile("pushq %0\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "lretq\n"
                     "1:\n\t"
                     "movl %1, %%ss\n\t"
                     "xorl %%eax, %%eax\n\t"
                     "movl %%eax, %%ds\n\t"
                     "movl %%eax, %%es\n\t"
                     "movl %%eax, %%fs\n\t"
                     "movl %%eax, %%gs"
                     :
                     : "r"((uint64_t)code), "r"((uint32_t)stack)
                     : "rax", "memory", "cc");
}

#endif
