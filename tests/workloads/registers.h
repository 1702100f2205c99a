/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A straight run of steps, each one LEA that counts up RAX, LFENCEs, and one JMP, with a known
 * value in every general register and known flags: so the state at any instruction is known from
 * its address. RSP holds such a value too: no interrupt is to come, whatever IF is.
 *
 * A processor needs a while to arm PEBS after an overflow (F3.62 names no time). Between two JMPs
 * are more instructions than SAMPLE_SKID_LIMIT of tests/oracle, and LFENCEs, each of which waits
 * until all before it is done: so that while is over before the next JMP, and "the next branch" is
 * one and the same everywhere.
 */
#ifndef TESTS_WORKLOADS_REGISTERS_H
#define TESTS_WORKLOADS_REGISTERS_H

#define REGISTERS_STEPS       256
#define REGISTERS_FENCES      68                     /* LFENCEs before each JMP */
#define REGISTERS_STEP_LENGTH (REGISTERS_FENCES + 2) /* instructions */

/* General register number n (as instructions encode it), but RSP; RAX counts up from its value. In
 * the middle each is inverted. */
#define REGISTERS_VALUE(n) (0xc0de000000000000 + (n)*0x0001021304152637)

/* All of CF PF AF ZF SF DF OF, and bit 1, which is always set; from the middle on each step has
 * others. */
#define REGISTERS_FLAGS_FIRST 0xcd7

/* Bytes from a top of stack that is aligned to RSP: it must not be rounded. */
#define REGISTERS_OFF_STACK 1

#ifndef __ASSEMBLER__

#include <stdint.h>
#include "tests/workloads/workload.h"

/* The state before an instruction runs, which is the one after its predecessor ran. */
struct register_state {
    uint64_t ip, rax, flags;
    uint64_t
        turned; /* how many registers are inverted: RCX first, RSP is none of them, RAX apart */
};

/*
 * RDI: 0, or RFLAGS.IF, which is set in every state then; ends by RET with IF = 0. Between entry
 * and return REGISTERS_STEPS jumps are the only branches, and the only transfers but for the RET.
 */
void registers_run(void);
extern const char registers_run_end[]; /* behind its RET; it may run at another address */

/* In the order of execution, from the first LEA to the instruction after the last JMP. */
extern const struct register_state register_states[], register_states_end[];

/* How many instructions it has before the first LEA and after the last JMP. */
extern const uint64_t registers_instructions_before, registers_instructions_after;

/* The same steps in ring 3, out by IRET and back by SYSCALL, which must lead to
 * registers_user_back; RSP is below user_stack_top meanwhile. As many states, in the same order. */
void registers_run_user(void);
void registers_user_back(void);
extern const struct register_state register_states_user[];

/* The jumps. */
extern const struct transfer registers_truth[];

/* What RSP is off meanwhile. */
extern const char registers_stack[];

#endif
#endif
