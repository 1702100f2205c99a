/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The third witness runs a program with TF and IA32_DEBUGCTL.BTF set and notes every debug
 * exception. Its handler has one branch, branch_stepper_iret back to the program, so every record
 * of a trace that goes on meanwhile is known.
 */
#ifndef TESTS_STEP_BRANCH_STEPPER_H
#define TESTS_STEP_BRANCH_STEPPER_H

/* Offsets and size of struct branch_trap, for branch_stepper_entry.S. */
#define BRANCH_TRAP_RIP      0
#define BRANCH_TRAP_CS       8
#define BRANCH_TRAP_STATUS   16
#define BRANCH_TRAP_DEBUGCTL 24
#define BRANCH_TRAP_SHIFT    5 /* 32 bytes */

#define BRANCH_TRAPS_MAX 512 /* that are kept; later ones overwrite the last */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/run/program.h"

struct branch_trap {
    uint64_t rip, cs;  /* as saved on the stack: where the program goes on (F9.5) */
    uint64_t status;   /* DR6 */
    uint64_t debugctl; /* at the handler's entry */
};

_Static_assert(sizeof(struct branch_trap) == 1 << BRANCH_TRAP_SHIFT, "assembly");

struct branch_stepper_run {
    uint64_t debugctl; /* IA32_DEBUGCTL when the program starts, with or without BTF */
    uint64_t rearm;    /* what the handler writes to IA32_DEBUGCTL each time */
    bool trap_flag;    /* TF is set */
    bool once; /* do not repeat the run if an SMI came: its event comes once, or runs add up */
};

struct branch_stepper_result {
    const struct branch_trap *traps;
    size_t count;          /* may be more than BRANCH_TRAPS_MAX */
    uint64_t debugctl_end; /* IA32_DEBUGCTL right after the program */
};

/* Runs the program with its workload's entry points set, and lets SYSCALL keep TF. The result is
 * valid until the next run. */
void branch_stepper_run(const struct program *program, const struct branch_stepper_run *run,
                        struct branch_stepper_result *result);

/* How many of the kept debug exceptions came at this address. */
size_t branch_stepper_traps_at(const struct branch_stepper_result *result, uint64_t rip);

/* Translates an address of the truth to the stepper's bracket, whose CALL and return address
 * differ. */
uint64_t branch_stepper_address(uint64_t address);

/* The handler, and its IRET. */
void branch_stepper_entry(void);
extern const char branch_stepper_iret[];

#endif
#endif
