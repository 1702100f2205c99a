/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads that retire a known number of instructions and branches in each ring. The macros that
 * emit the instructions also count them, so neither can change alone.
 */
#ifndef TESTS_WORKLOADS_COUNTED_H
#define TESTS_WORKLOADS_COUNTED_H

#define COUNTED_NOPS_LENGTH 4096 /* instructions of one byte each */

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/* How much is retired once, and how much in each iteration. Branches count whether taken or not
 * (F6.26). */
struct counted_share {
    uint64_t instructions, branches;
    uint64_t instructions_each, branches_each;
};

struct counted_workload {
    const char *name;
    void (*entry)(void);           /* ring 0; RDI = iterations, 1 or more; ends by RET */
    void (*syscall_landing)(void); /* where SYSCALL must lead; NULL when none is executed */
    struct counted_share kernel, user;
};

/* The first is a loop of plain instructions and near branches in ring 0. The second is the same
 * loop in ring 3, out by IRET and back by SYSCALL, the third in compatibility mode. RFLAGS.IF stays
 * as it was, EDI has the iterations. */
extern const struct counted_workload workload_counted_loop, workload_counted_user,
    workload_counted_compat;

/* The loop's branches in each ring, taken or not, and each one's target. */
struct counted_branch {
    uint64_t at, to;
};
extern const struct counted_branch counted_loop_kernel[], counted_loop_kernel_end[];
extern const struct counted_branch counted_loop_user[], counted_loop_user_end[];
extern const struct counted_branch counted_loop_compat[], counted_loop_compat_end[];

/* Each iteration is a REP STOSB of many bytes, which is one instruction (F6.26). */
extern const struct counted_workload workload_counted_string;

/* Each iteration has a UD2, which does not retire, and the handler that steps over it. #UD must
 * lead to counted_undefined_handler. */
extern const struct counted_workload workload_counted_undefined;
extern void counted_undefined_handler(void);
extern const char counted_undefined_instruction[]; /* the UD2 */

/* The same with an instruction that retires before its handler runs: INT VECTOR_TEST, or one with a
 * single-step trap after it. Their gates must lead to the handlers. */
extern const struct counted_workload workload_counted_interrupt, workload_counted_trap;
extern void counted_interrupt_handler(void);
extern void counted_trap_handler(void);

/* Each iteration reads a line of memory that no cache holds: CLFLUSH, a fence, the read, a
 * fence. */
extern const struct counted_workload workload_counted_misses;

/* Each iteration of the first is one LOOP that leads to itself. Each iteration of the second is a
 * far RET and a near branch. */
extern const struct counted_workload workload_counted_self, workload_counted_far;

/* Each iteration has a conditional branch that is taken at random, and two others. */
extern const struct counted_workload workload_counted_random;

/* Each iteration has some instructions of microcoded.h and a near branch. */
extern const struct counted_workload workload_counted_cpuid, workload_counted_rdmsr,
    workload_counted_rdtsc, workload_counted_in_out, workload_counted_mov_cr,
    workload_counted_invlpg, workload_counted_pause;

/* COUNTED_NOPS_LENGTH NOPs in a row, however many iterations are asked for, and the address of the
 * first. */
extern const struct counted_workload workload_counted_nops;
extern const char counted_nops[];

/* Ring 3 code for user_run(). Its argument is ECX for RDPMC; it returns in RAX what RDPMC reads. */
extern void user_read_counter(void);

/* What the bracket retires between its two WRMSR, the CALL included (bracket.S). */
extern const struct counted_share bracket_share;

#endif
#endif
