/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads of which it is known how many instructions and branches they retire, in each ring. The
 * numbers come from the macros that emit the instructions, so neither can change alone.
 */
#ifndef TESTS_WORKLOADS_COUNTED_H
#define TESTS_WORKLOADS_COUNTED_H

#define COUNTED_NOPS_LENGTH 4096 /* instructions of one byte each */

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/* What is retired: once, and in each iteration. Taken and not taken branches both count (F6.26). */
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

/* A loop of plain instructions and near branches in ring 0, and the same loop in ring 3: out by
 * IRET, back by SYSCALL. RFLAGS.IF is in ring 3 what it was. */
extern const struct counted_workload workload_counted_loop, workload_counted_user;

/* Its branches in each ring, taken or not, and the instruction that each leads to. */
struct counted_branch {
    uint64_t at, to;
};
extern const struct counted_branch counted_loop_kernel[], counted_loop_kernel_end[];
extern const struct counted_branch counted_loop_user[], counted_loop_user_end[];

/* Each iteration a REP STOSB of many bytes: one instruction (F6.26). */
extern const struct counted_workload workload_counted_string;

/* Each iteration an UD2, which retires nothing, and the handler that steps over it. #UD must lead
 * to counted_undefined_handler. */
extern const struct counted_workload workload_counted_undefined;
extern void counted_undefined_handler(void);
extern const char counted_undefined_instruction[]; /* the UD2 */

/* The same loop with what retires before the handler runs: INT VECTOR_TEST, and an instruction with
 * a single-step trap after it. Their gates must lead to the handlers. */
extern const struct counted_workload workload_counted_interrupt, workload_counted_trap;
extern void counted_interrupt_handler(void);
extern void counted_trap_handler(void);

/* Each iteration reads a line of memory that no cache holds: CLFLUSH, a fence, the read, a fence.
 */
extern const struct counted_workload workload_counted_misses;

/* Each iteration one LOOP that leads to itself; or a far RET and a near branch. */
extern const struct counted_workload workload_counted_self, workload_counted_far;

/* Each iteration a conditional branch that is taken at random, and two others. */
extern const struct counted_workload workload_counted_random;

/* Each iteration some instructions of microcoded.h and a near branch. */
extern const struct counted_workload workload_counted_cpuid, workload_counted_rdmsr,
    workload_counted_rdtsc, workload_counted_in_out, workload_counted_mov_cr,
    workload_counted_invlpg, workload_counted_pause;

/* COUNTED_NOPS_LENGTH NOPs in a row, whatever the iterations; and where the first one stands. */
extern const struct counted_workload workload_counted_nops;
extern const char counted_nops[];

/* Ring 3, for user_run(): reads the counter given as argument by RDPMC, returns it in RAX. */
extern void user_read_counter(void);

/* What stands between the two WRMSR of the bracket, the call included; bracket.S. */
extern const struct counted_share bracket_share;

#endif
#endif
