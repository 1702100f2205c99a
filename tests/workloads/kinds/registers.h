/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A straight run of steps. Each step is one LEA that increments RAX, LFENCEs, and one JMP. Every
 * general register has a known value and the flags are known, so an instruction's address gives the
 * whole state. RSP holds such a value too, so no interrupt may come, whatever IF is.
 *
 * A processor takes some time to arm PEBS after an overflow (F3.62 names none). Between two JMPs
 * are more instructions than SAMPLE_SKID_LIMIT of tests/spec, among them LFENCEs, which wait for
 * all instructions before them. So that time is over before the next JMP, and "the next branch" is
 * unambiguous.
 */
#ifndef TESTS_WORKLOADS_KINDS_REGISTERS_H
#define TESTS_WORKLOADS_KINDS_REGISTERS_H

#define REGISTERS_STEPS       256
#define REGISTERS_FENCES      68                     /* LFENCEs before each JMP */
#define REGISTERS_STEP_LENGTH (REGISTERS_FENCES + 2) /* instructions */

/* Value of general register n (as instructions encode it), except RSP; RAX counts up from it. In
 * the middle of the run each register is inverted. */
#define REGISTERS_VALUE(n) (0xc0de000000000000 + (n)*0x0001021304152637)

/* All of CF PF AF ZF SF DF OF, bit 1, which is always set, and ID, which stays. From the middle on
 * each step has other flags. */
#define REGISTERS_FLAGS_FIRST 0x200cd7

/* Bytes from an aligned top of stack to RSP, so that rounding would show. */
#define REGISTERS_OFF_STACK 1

#ifndef __ASSEMBLER__

#include <stdint.h>
#include "tests/workloads/workload.h"

/* The state before an instruction runs, which is the state after its predecessor. */
struct register_state {
    uint64_t ip, rax, flags;
    uint64_t turned; /* how many registers are inverted, RCX first; without RAX and RSP */
};

/*
 * RDI: 0, or RFLAGS.IF, which is then set in every state. Ends by RET with IF = 0. Before the RET,
 * REGISTERS_STEPS jumps are the only transfers.
 */
void registers_run(void);
extern const char registers_run_end[]; /* after its RET; the code may run at another address */

/* The states in the order of execution, from the first LEA to the instruction after the last
 * JMP. */
extern const struct register_state register_states[], register_states_end[];

/* How many instructions come before the first LEA and after the last JMP. */
extern const uint64_t registers_instructions_before, registers_instructions_after;

/* The same steps and states in rings 1 and 2, on the same stack: out by IRET, back by a #GP that
 * must lead to registers_user_back. */
void registers_run_ring1(void);
void registers_run_ring2(void);

/* The same steps in ring 3, out by IRET and back by SYSCALL, which must lead to
 * registers_user_back. RSP is below user_stack_top meanwhile. The states have the same number and
 * order. */
void registers_run_user(void);
void registers_user_back(void);
extern const struct register_state register_states_user[];

/* The jumps' truth. */
extern const struct transfer registers_truth[];

/* RSP is REGISTERS_OFF_STACK bytes below it during registers_run(). */
extern const char registers_stack[];

#endif
#endif
