/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring 3: entry by IRET or SYSRET, return by SYSCALL or INT VECTOR_USER_INT. User code and data lie
 * in pages of their own at low addresses (sections .user.text and .user.data).
 */
#ifndef ARCH_CPU_TRAPS_USER_H
#define ARCH_CPU_TRAPS_USER_H

#include "arch/cpu/traps/descriptors.h"

#define USER_RFLAGS     0x202 /* IF and the bit that is always 1 */
#define USER_STACK_SIZE 16384 /* bytes; an unmapped page lies below */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"

enum user_entry { USER_ENTRY_IRET, USER_ENTRY_SYSRET };

struct user_result {
    struct exception exception; /* what ended the run; EXCEPTION_NO_VECTOR: SYSCALL or INT */
    uint64_t fault_address;     /* CR2 of a page fault */
    uint64_t rax;               /* as user code left it */
};

/*
 * Runs `entry` in ring 3 on the user stack, with `argument` in RDI, until it executes SYSCALL or
 * INT VECTOR_USER_INT, or raises an exception. SYSCALL's entry and that gate must be the kernel's
 * own.
 */
struct user_result user_run(enum user_entry how, void (*entry)(void), uint64_t argument);

/* The unmapped page below the ring 3 stack, the stack in user pages, and the address above it. */
extern char user_stack_guard[], user_stack[], user_stack_top[];

/* Sets up SYSCALL's MSRs and the return path; part of interrupts_init(). */
void user_init(void);

struct trap_frame;

/* For interrupt_dispatch(): ends the user_run() in which ring 3 raised an exception. Returns false
 * if ring 3 did not raise it, or no user_run() waits. */
bool user_end_with_exception(struct trap_frame *frame, uint64_t cr2);

/* Sets SYSCALL's entry; NULL restores the kernel's own. */
void user_set_syscall_entry(void (*entry)(void));

/* Chooses whether SYSCALL keeps TF. After user_init() it clears TF (F9.6). */
void user_keep_trap_flag(bool kept);

/* Sets SYSENTER's entry, with the stack of TSS.RSP0; NULL makes SYSENTER raise #GP again. Needs
 * FEATURE_SEP. */
void user_set_sysenter_entry(void (*entry)(void));

/*
 * Does a hypervisor run this guest as a processor would? Some emulate instructions and get single
 * ones wrong; test results then say nothing about a Debug Store.
 *
 * Tries what every 64-bit processor gets right: SYSCALL from ring 3 arrives at its entry in a ring
 * 0 page, and ring 3 executes across the end of a page, between and within instructions. Returns
 * NULL, or what went wrong (static text). Takes some microseconds on a processor. Needs
 * paging_init().
 */
const char *host_check(void);

#endif
#endif
