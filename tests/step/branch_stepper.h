/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The third witness: runs a program under TF with IA32_DEBUGCTL.BTF set, and notes every debug
 * exception. Its handler is straight code: the one branch between a debug exception and the program
 * is branch_stepper_iret, so that a trace that goes on meanwhile is known to the last record.
 */
#ifndef TESTS_STEP_BRANCH_STEPPER_H
#define TESTS_STEP_BRANCH_STEPPER_H

/* Offsets and size of struct branch_trap, for branch_stepper_entry.S. */
#define BRANCH_TRAP_RIP      0
#define BRANCH_TRAP_CS       8
#define BRANCH_TRAP_STATUS   16
#define BRANCH_TRAP_DEBUGCTL 24
#define BRANCH_TRAP_SHIFT    5 /* 32 bytes */

#define BRANCH_TRAPS_MAX 512 /* kept; the last place is written again and again */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/run/program.h"

struct branch_trap {
    uint64_t rip, cs;  /* as saved: where the program goes on (F9.5) */
    uint64_t status;   /* DR6 */
    uint64_t debugctl; /* as the handler found it */
};

_Static_assert(sizeof(struct branch_trap) == 1 << BRANCH_TRAP_SHIFT, "assembly");

struct branch_stepper_run {
    uint64_t debugctl; /* when the program starts, BTF included or not */
    uint64_t rearm;    /* what each debug exception's handler writes into it */
    bool trap_flag;
    bool once; /* not made again when an SMI came: what it waits for comes once, or it adds up */
};

struct branch_stepper_result {
    const struct branch_trap *traps;
    size_t count;          /* may be more than BRANCH_TRAPS_MAX */
    uint64_t debugctl_end; /* right after the program */
};

/* With the workload's landings set, SYSCALL leaving TF alone. The result stays until the next. */
void branch_stepper_run(const struct program *program, const struct branch_stepper_run *run,
                        struct branch_stepper_result *result);

/* How many of the debug exceptions that were kept came at this address. */
size_t branch_stepper_traps_at(const struct branch_stepper_result *result, uint64_t rip);

/* The program's address as the stepper's bracket has it: bracket_call and bracket_return differ. */
uint64_t branch_stepper_address(uint64_t address);

/* The handler, and its way out. */
void branch_stepper_entry(void);
extern const char branch_stepper_iret[];

#endif
#endif
