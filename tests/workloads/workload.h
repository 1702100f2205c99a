/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads: assembly whose every branch is known, and the truth beside each branch.
 *
 * A truth table lists the control transfers in order. The macros of tests/workloads/truth.h emit a
 * branch and its row together, so neither can change alone.
 */
#ifndef TESTS_WORKLOADS_WORKLOAD_H
#define TESTS_WORKLOADS_WORKLOAD_H

/* Properties of a kind of transfer (transfers.def). */
#define TRANSFER_IS_NEAR       1u
#define TRANSFER_IS_FAR        2u  /* far JMP, CALL, RET */
#define TRANSFER_IS_DELIVERY   4u  /* through a gate of the IDT, which clears TF */
#define TRANSFER_IS_DEBUG      8u  /* a debug exception of any cause */
#define TRANSFER_IS_OPEN_CLASS 16u /* the manual does not say whether its filter bit applies */

/* INT n from ring 0 and back, inside a workload. */
#define VECTOR_WORKLOAD_INT 0x81

/* Flags of struct workload: what a run needs besides the entry points, and what cannot be stepped.
 */
#define WORKLOAD_INTERRUPTED 1   /* the test sends an interrupt */
#define WORKLOAD_DEBUG       2   /* takes a debug exception of its own */
#define WORKLOAD_RTM         4   /* FEATURE_RTM */
#define WORKLOAD_MAPPED      8   /* the test maps the addresses at which it runs */
#define WORKLOAD_NMI         16  /* sends itself an NMI: argument apic_prepare_self_nmi() */
#define WORKLOAD_INT1        32  /* executes INT1, which some emulators lack */
#define WORKLOAD_DEBUGCTL    128 /* writes IA32_DEBUGCTL */
#define WORKLOAD_BASED       256 /* the base of its code segment is not 0 */
#define WORKLOAD_INTEL       64  /* behaves otherwise on other vendors' processors */

/* The last page below the non-canonical addresses and the first above, for second mappings. */
#define LAST_LOW_PAGE   0x00007ffffffff000
#define FIRST_HIGH_PAGE 0xffff800000000000

#define SLED_LENGTH        2048 /* jumps in each sled */
#define SLED_COMPAT_LENGTH 64   /* jumps in the one of 32-bit code */

/* Offsets of struct bracket, for bracket.S. */
#define BRACKET_ON       0
#define BRACKET_OFF      8
#define BRACKET_ENTRY    16
#define BRACKET_ARGUMENT 24
#define BRACKET_HOLD_OFF 32
#define BRACKET_REGISTER 40
#define BRACKET_FOUND    48
#define BRACKET_REFUSED  56
#define BRACKET_LBR      64
#define BRACKET_LBR_SEEN 72
#define BRACKET_SIZE     80

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRANSFER(kind, number, ...) TRANSFER_##kind = (number),
enum {
#include "tests/workloads/transfers.def"
};
#undef TRANSFER
#define TRANSFER(kind, ...) POSITION_OF_##kind,
enum {
#include "tests/workloads/transfers.def"
    TRANSFER_KINDS
};
#undef TRANSFER

/* One control transfer. Addresses are linear. */
struct transfer {
    uint64_t from; /* the branch instruction; for an interrupt, the next instruction (F4.3) */
    uint64_t to;
    uint64_t from_next; /* the other reading of FROM, mostly the next instruction (F4.3, F4.4); 0:
                           none */
    uint32_t kind;      /* TRANSFER_… */
    uint8_t from_ring, to_ring;
    uint16_t unused;
};

_Static_assert(sizeof(struct transfer) == 32, "layout that truth.h emits");

/* "JMP indirect" */
const char *transfer_kind_name(uint32_t kind);

/* Has the kind one of the properties TRANSFER_IS_…? */
bool transfer_is(uint32_t kind, unsigned properties);

struct workload {
    const char *name;
    void (*entry)(void); /* ring 0; called by the bracket, returns to it by RET */
    const struct transfer *truth, *truth_end; /* from the entry to the RET to the bracket */
    void (*syscall_landing)(void);    /* where SYSCALL must lead; NULL when none is executed */
    void (*user_int_landing)(void);   /* likewise for INT VECTOR_USER_INT from ring 3 */
    void (*kernel_int_landing)(void); /* likewise for INT VECTOR_WORKLOAD_INT from ring 0 */
    void (*gate_landing)(void);       /* where gate_vector's gate (DPL 3) must lead; may be NULL */
    uint32_t gate_vector;
    uint32_t flags;                  /* WORKLOAD_… */
    void (*sysenter_landing)(void);  /* where SYSENTER must lead; may be NULL */
    void (*call_gate_landing)(void); /* where SELECTOR_CALL_GATE must lead; may be NULL */
};

_Static_assert(sizeof(struct workload) == 11 * 8, "layout that truth.h emits");

/* All workloads that end by WORKLOAD_END, gathered by the linker in any order. */
extern const struct workload *const __workloads_start[], *const __workloads_end[];

/* Every near branch, in ring 0 only. */
extern const struct workload workload_near_branches;

/* Ring 0 branches, out by IRET, ring 3 branches, in by SYSCALL, out by SYSRET, in by INT n, INT n
 * in ring 0. */
extern const struct workload workload_rings;

/* Branches in both rings, sets IA32_DEBUGCTL to the argument, then branches in both rings again;
 * switched_truth is the second part. */
extern const struct workload workload_switched;
extern const struct transfer switched_truth[];

/* Near branches in ring 3, out by IRET, in by SYSCALL. */
extern const struct workload workload_user_branches;

/* A list of workloads with one kind of branch and the way back; at most 4 transfers from that
 * branch on. */
extern const struct workload *const single_branches[], *const single_branches_end[];

/* More lists: other near branches, far transfers, INT n and INT3, SYSENTER, faults. */
#define WORKLOAD_LIST(name) extern const struct workload *const name[], *const name##_end[]
WORKLOAD_LIST(near_kinds);
WORKLOAD_LIST(call_stacks); /* calls that do not return yet; a few of one kind */
WORKLOAD_LIST(far_transfers);
WORKLOAD_LIST(software_interrupts);
WORKLOAD_LIST(sysenter_transfers); /* FEATURE_SEP */
WORKLOAD_LIST(faults);
WORKLOAD_LIST(nested_events);                     /* a handler begins with another event */
WORKLOAD_LIST(compat_transfers);                  /* 32-bit code in ring 3 */
extern const struct workload workload_compat_ud;  /* one of them: JMP, then #UD */
WORKLOAD_LIST(based_transfers);                   /* the same in a segment with a base */
extern const struct workload workload_based_near; /* one of them: each kind of near branch once */
WORKLOAD_LIST(compat_sysenter);                   /* FEATURE_SEP */
WORKLOAD_LIST(high_segment_transfers);            /* 32-bit code, base + EIP wraps at 4 GiB */
WORKLOAD_LIST(conforming_transfers);              /* ring 3 in a conforming segment of ring 0 */
WORKLOAD_LIST(page_boundaries);
WORKLOAD_LIST(inner_rings);  /* rings 1 and 2 */
WORKLOAD_LIST(microcoded);   /* instructions that are no branches, between jumps */
WORKLOAD_LIST(transactions); /* FEATURE_RTM */

/* Their handler stores IA32_DEBUGCTL here, with LBREn in the place of LBR on architectural LBRs
 * (arch/trace/debugctl.h). */
WORKLOAD_LIST(debug_exceptions);
extern uint64_t debugctl_in_handler;
extern const char
    *debug_exception_missed; /* the last workload whose debug exception did not come, or NULL */

/* Jumps and events in the last page below the canonical boundary and the first above it. The test
 * maps these two pages there. */
WORKLOAD_LIST(canonical_boundaries);
extern const char last_low_page[], first_high_page[];

/* 16-bit code in ring 3 with near branches that wrap at 64 KiB. The test maps the page as the first
 * and the last of its segment. */
WORKLOAD_LIST(wrapping_transfers);
extern const char wrapping_page[];
#define WRAPPING_FIRST_PAGE USER_CODE16_BASE
#define WRAPPING_LAST_PAGE  (USER_CODE16_BASE + 0xf000)

/* Code that runs past the end of LAST_LOW_PAGE: the next address is not canonical, so #GP. */
WORKLOAD_LIST(past_canonical);
extern const char past_low_page[];

/* A #UD; its gate must lead to the landing. */
extern const struct workload workload_kernel_fault, workload_user_fault;
extern void kernel_fault_landing(void), user_fault_landing(void);

/*
 * Start with IF = 0 and a pending interrupt. It must lead to interrupted_handler, which stores the
 * interrupted address in interrupted_at and returns. The truth has 0 for that address.
 */
extern const struct workload workload_kernel_interrupted, workload_user_interrupted;
extern const struct workload workload_user_interrupted_later;
extern const struct workload workload_kernel_hlt, workload_kernel_rep_string;
extern const struct workload workload_kernel_rep_ports;

/* The same, but each sends itself an NMI; argument: apic_prepare_self_nmi(). */
extern const struct workload workload_kernel_nmi, workload_kernel_nmi_x2apic;
extern void interrupted_handler(void);
extern uint64_t interrupted_at;

/*
 * Sleds: SLED_LENGTH jumps, each to the next. Entered at jump SLED_LENGTH - n, a sled makes exactly
 * n different records, followed by the way back. Row i of the table is the truth of jump i.
 */
extern const char sled[], sled_user[], sled_compat[];
extern const struct transfer sled_truth[], sled_user_truth[], sled_compat_truth[];

/* Goes to the address given as argument and back. Row 0 of the truth leads to the argument. */
extern const struct workload workload_sled;      /* rows: RET to the bracket */
extern const struct workload workload_sled_user; /* rows: IRET, then SYSCALL, RET to the bracket */

/* The same with the bracket's IF throughout, in ring 3 and in 32-bit code whose segment's base is 0
 * or USER_CODE32_BASE. The argument is relative to the base. 32-bit code returns by INT n. */
extern const struct workload workload_sled_held_off, workload_sled_compat, workload_sled_based;

/* Calls the sled `argument` times; rows: the CALL, the LOOP, RET to the bracket. */
extern const struct workload workload_sled_rounds;

/* A LOOP taken argument - 1 times, in ring 0, or in ring 3 between IRET and SYSCALL. The truth has
 * one row for all turns. */
extern const struct workload workload_long_loop, workload_long_loop_user;

/*
 * The bracket writes `on` to an MSR, calls the entry, and writes `off`. Between the two WRMSR are
 * one CALL (bracket_call -> entry) and the workload's RET (-> bracket_return). Outside them it
 * switches architectural last-branch records on and off by IA32_LBR_CTL.
 */
struct bracket {
    uint64_t on, off;
    void (*entry)(void);
    uint64_t argument;            /* RDI at the entry */
    uint64_t hold_off_interrupts; /* nonzero: IF = 0 from before `on` until after `off` */
    uint64_t msr;                 /* its number; 0: IA32_DEBUGCTL */
    uint64_t found;               /* result: the MSR right before `off` was written */
    uint64_t refused;             /* result: nonzero: the processor refused `on` or `off` */
    uint64_t lbr_control;         /* IA32_LBR_CTL meanwhile; 0: not written */
    uint64_t lbr_found;           /* result: IA32_LBR_CTL before LBREn was cleared */
};

/* Set `on`, and read `found`, as a value of IA32_DEBUGCTL in the form of arch/trace/debugctl.h. */
void bracket_set_debugctl(struct bracket *bracket, uint64_t value);
uint64_t bracket_debugctl(const struct bracket *bracket);

_Static_assert(offsetof(struct bracket, hold_off_interrupts) == BRACKET_HOLD_OFF, "bracket.S");
_Static_assert(offsetof(struct bracket, msr) == BRACKET_REGISTER, "bracket.S");
_Static_assert(offsetof(struct bracket, refused) == BRACKET_REFUSED, "bracket.S");
_Static_assert(offsetof(struct bracket, lbr_found) == BRACKET_LBR_SEEN, "bracket.S");
_Static_assert(sizeof(struct bracket) == BRACKET_SIZE, "bracket.S");

/* Fails the test if the processor refuses a value. If it refuses `on`, the entry is not called. */
void bracket_run(struct bracket *bracket);

/* The CALL, where it returns to, and the second WRMSR. */
extern const char bracket_call[], bracket_return[], bracket_off[];

#endif
#endif
