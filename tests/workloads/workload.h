/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload is assembly of which every branch is known. The truth of a branch stands beside it.
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

/* Vector of the INT n that a workload executes in ring 0; its handler is in the workload too. */
#define VECTOR_WORKLOAD_INT 0x81

/* Flags of struct workload. They say what a run has to prepare besides the entry points, and which
 * workloads the stepper cannot run. */
#define WORKLOAD_INTERRUPTED 1   /* the test sends an interrupt */
#define WORKLOAD_DEBUG       2   /* takes a debug exception of its own */
#define WORKLOAD_RTM         4   /* FEATURE_RTM */
#define WORKLOAD_MAPPED      8   /* the test maps the addresses at which it runs */
#define WORKLOAD_NMI         16  /* sends itself an NMI; argument: see workload_kernel_nmi */
#define WORKLOAD_INT1        32  /* executes INT1, which some emulators lack */
#define WORKLOAD_DEBUGCTL    128 /* writes IA32_DEBUGCTL */
#define WORKLOAD_BASED       256 /* the base of its code segment is not 0 */
#define WORKLOAD_INTEL       64  /* behaves otherwise on other vendors' processors */

/* The last page below the non-canonical addresses and the first page above them. Tests map code
 * there a second time. */
#define LAST_LOW_PAGE   0x00007ffffffff000
#define FIRST_HIGH_PAGE 0xffff800000000000

#define SLED_LENGTH        2048 /* jumps in each sled */
#define SLED_COMPAT_LENGTH 64   /* jumps in the sled of 32-bit code */

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
    /* FROM if the manual is read the other way, mostly the next instruction (F4.3, F4.4); 0: there
     * is no other way. */
    uint64_t from_next;
    uint32_t kind; /* TRANSFER_… */
    uint8_t from_ring, to_ring;
    uint16_t unused;
};

_Static_assert(sizeof(struct transfer) == 32, "layout that truth.h emits");

/* Returns a name such as "JMP indirect". */
const char *transfer_kind_name(uint32_t kind);

/* Has the kind one of the properties TRANSFER_IS_…? */
bool transfer_is(uint32_t kind, unsigned properties);

/* Does it lead from ring 0 to another ring, or back? */
bool transfer_crosses(const struct transfer *transfer);

/* Is it a direct near CALL of the next instruction? One by a register is another matter: nothing
 * says whether its length counts as zero. */
bool transfer_calls_next(const struct transfer *transfer);

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

/* All workloads that end with WORKLOAD_END. The linker gathers them, in any order. */
extern const struct workload *const __workloads_start[], *const __workloads_end[];

/* Every near branch, in ring 0 only. */
extern const struct workload workload_near_branches;

/* Branches in ring 0; by IRET to ring 3; branches there; by SYSCALL to ring 0; by SYSRET to ring 3;
 * by INT n to ring 0; INT n and IRET inside ring 0. */
extern const struct workload workload_rings;

/* Takes branches in both rings, sets IA32_DEBUGCTL to the argument, and takes branches in both
 * rings again. The truth of this second part begins at switched_truth. */
extern const struct workload workload_switched;
extern const struct transfer switched_truth[];

/* Goes to ring 3 by IRET, takes near branches there, and returns by SYSCALL. */
extern const struct workload workload_user_branches;

/* A list of workloads, each with one kind of branch and the way back. From that branch to the end
 * are at most 4 transfers, so that the smallest LBR stack holds them. */
extern const struct workload *const single_branches[], *const single_branches_end[];

/* More lists of workloads. */
#define WORKLOAD_LIST(name) extern const struct workload *const name[], *const name##_end[]
WORKLOAD_LIST(near_kinds);
WORKLOAD_LIST(call_stacks); /* calls that never return */
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

/* Debug exceptions. Their handler stores in debugctl_in_handler what IA32_DEBUGCTL was; bit 0 says
 * whether LBRs were on, architectural ones too (arch/trace/debugctl.h). */
WORKLOAD_LIST(debug_exceptions);
extern uint64_t debugctl_in_handler;
extern const char
    *debug_exception_missed; /* the last workload whose debug exception did not come, or NULL */

/* Jumps and events in the last page below the non-canonical addresses and the first page above
 * them. The test maps last_low_page and first_high_page there. */
WORKLOAD_LIST(canonical_boundaries);
extern const char last_low_page[], first_high_page[];

/* 16-bit code in ring 3 with near branches that wrap at 64 KiB. The test maps the page as the first
 * and the last of its segment. */
WORKLOAD_LIST(wrapping_transfers);
extern const char wrapping_page[];
#define WRAPPING_FIRST_PAGE USER_CODE16_BASE
#define WRAPPING_LAST_PAGE  (USER_CODE16_BASE + 0xf000)

/* Code that runs past the end of LAST_LOW_PAGE. The next address is not canonical, so a #GP
 * follows. */
WORKLOAD_LIST(past_canonical);
extern const char past_low_page[];

/* Each raises a #UD. The gate of #UD must lead to its landing. */
extern const struct workload workload_kernel_fault, workload_user_fault;
extern void kernel_fault_landing(void), user_fault_landing(void);

/*
 * Before these workloads start, IF must be 0 and an interrupt must be pending. The interrupt's gate
 * must lead to interrupted_handler, which stores the interrupted address in interrupted_at and
 * returns. The truth has 0 for that address.
 */
extern const struct workload workload_kernel_interrupted, workload_user_interrupted;
extern const struct workload workload_user_interrupted_later;
extern const struct workload workload_kernel_hlt, workload_kernel_rep_string;
extern const struct workload workload_kernel_rep_ports;

/* The same, but each sends itself an NMI. The argument is what apic_prepare_self_nmi() returns. */
extern const struct workload workload_kernel_nmi, workload_kernel_nmi_x2apic;
extern void interrupted_handler(void);
extern uint64_t interrupted_at;

/*
 * Sleds: SLED_LENGTH jumps (SLED_COMPAT_LENGTH in sled_compat), each to the next. Entered at n
 * jumps before the end, a sled makes exactly n different records, followed by the way back. Row i
 * of the table is the truth of jump i.
 */
extern const char sled[], sled_user[], sled_compat[];
extern const struct transfer sled_truth[], sled_user_truth[], sled_compat_truth[];

/* The way back from the sled of ring 0. The bracket calls one of the sled's jumps instead of the
 * entry. The truth has one row, the RET to the bracket. */
extern const struct workload workload_sled;

/* Goes by IRET to the address in ring 3 that is its argument, and returns by SYSCALL. The truth has
 * three rows: IRET, SYSCALL, RET to the bracket. TO of the IRET must be replaced by the address. */
extern const struct workload workload_sled_user;

/*
 * The same, but IF stays throughout as the bracket has set it: in ring 3, and in 32-bit code of
 * ring 3 whose segment has the base 0 or USER_CODE32_BASE. The argument is relative to the base.
 * 32-bit code returns by INT n.
 */
extern const struct workload workload_sled_held_off, workload_sled_compat, workload_sled_based;

/* Calls the sled `argument` times. The truth has one row each for the CALL, the LOOP and the RET to
 * the bracket. */
extern const struct workload workload_sled_rounds;

/* A LOOP that is taken `argument` - 1 times, in ring 0, or in ring 3 between IRET and SYSCALL. The
 * truth has one row for the LOOP, however often it is taken. */
extern const struct workload workload_long_loop, workload_long_loop_user;

/*
 * The bracket writes `on` to an MSR, calls the entry, and writes `off`. Between the two WRMSR are
 * one CALL (bracket_call -> entry) and the workload's RET (-> bracket_return). The bracket switches
 * architectural LBRs on before the first WRMSR and off after the second, by IA32_LBR_CTL.
 */
struct bracket {
    uint64_t on, off;
    void (*entry)(void);
    uint64_t argument;            /* RDI at the entry */
    uint64_t hold_off_interrupts; /* nonzero: IF = 0 from before `on` until after `off` */
    uint64_t msr;                 /* its number; 0: IA32_DEBUGCTL */
    uint64_t found;               /* result: the MSR right before `off` was written */
    uint64_t refused;             /* result: nonzero: the processor refused `on` or `off` */
    uint64_t lbr_control;         /* IA32_LBR_CTL while the entry runs; 0: not written */
    uint64_t lbr_found;           /* result: IA32_LBR_CTL before LBREn was cleared */
};

/* The first function sets `on` and `lbr_control` from a value of IA32_DEBUGCTL in the form of
 * arch/trace/debugctl.h. The second returns `found` and `lbr_found` in that form. */
void bracket_set_debugctl(struct bracket *bracket, uint64_t value);
uint64_t bracket_debugctl(const struct bracket *bracket);

_Static_assert(offsetof(struct bracket, hold_off_interrupts) == BRACKET_HOLD_OFF, "bracket.S");
_Static_assert(offsetof(struct bracket, msr) == BRACKET_REGISTER, "bracket.S");
_Static_assert(offsetof(struct bracket, refused) == BRACKET_REFUSED, "bracket.S");
_Static_assert(offsetof(struct bracket, lbr_found) == BRACKET_LBR_SEEN, "bracket.S");
_Static_assert(sizeof(struct bracket) == BRACKET_SIZE, "bracket.S");

/* Fails the test if the processor refuses a value. If it refuses `on`, the entry is not called. */
void bracket_run(struct bracket *bracket);

/* An entry: as many branches as any LBR stack has entries, none of which a workload has. */
void stack_filler(void);

/* Addresses of the CALL, of the instruction that it returns to, and of the second WRMSR. */
extern const char bracket_call[], bracket_return[], bracket_off[];

#endif
#endif
