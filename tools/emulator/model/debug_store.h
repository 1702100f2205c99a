// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A model of one logical processor's Debug Store: events in, actions out.
 *
 * The model knows no emulator and no operating system. The glue around it reports what the
 * processor does (branches, MSR accesses, RESET, INIT, SMM, machine checks) and offers actions:
 * read and write linear memory, write physical memory (for architectural PEBS), and request the
 * performance-monitoring interrupt (PMI).
 *
 * Use: fill cpu.profile and cpu.variation, check the profile, call ds_reset(); then report events.
 * All addresses are linear (CS base added). F-numbers refer to the project's sheet of facts.
 */
#ifndef DEBUG_STORE_H
#define DEBUG_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "settings.h"

/* Architectural state after the instruction that just retired, for PEBS records. */
struct ds_registers {
    uint64_t rflags;
    uint64_t general[16];     /* by their encoding: RAX RCX RDX RBX RSP RBP RSI RDI, R8 to R15 */
    uint64_t xmm[16][2];      /* low half first */
    uint64_t ymm_high[16][2]; /* bits 255:128 of the YMM registers */
};

/*
 * Actions. Memory is accessed with supervisor rights under the present paging, whatever the CPL
 * (F3.37). An access moves all bytes or none, never faults, and returns whether it moved them. It
 * may cross a page.
 */
struct ds_host {
    bool (*read)(void *opaque, uint64_t linear, void *data, size_t size);
    bool (*write)(void *opaque, uint64_t linear, const void *data, size_t size);
    void (*raise_pmi)(void *opaque); /* through the local APIC's performance LVT entry (F5.2) */
    void *opaque;
    void (*raise_neighbours_pmi)(void *opaque); /* on the next processor; NULL: there is none */
    void (*registers)(void *opaque, struct ds_registers *registers); /* NULL: all zero */
    uint64_t (*tsc)(void *opaque);    /* time-stamp counter; NULL: always 0 */
    bool (*pmi_is_nmi)(void *opaque); /* by the LVT entry's present setting; NULL: never */
    void (*uncore_written)(void *opaque, uint64_t value); /* a forbidden write: see uncore_391 */
    void (*hang)(void *opaque); /* the running WRMSR never ends, except by RESET or INIT */
    bool (*write_physical)(void *opaque, uint64_t physical, const void *data, size_t size);
};

#define DS_LBR_DEPTH_MAX 32
#define DS_METRICS       4 /* uses of a slot */

/* State of faults; unused in a healthy processor. */
struct ds_fault_memory {
    uint64_t scratch[8];             /* of invented ones */
    uint64_t stored_from;            /* FROM of the newest BTS record */
    uint64_t older_from, older_to;   /* the last branch but one */
    uint64_t frozen_enables;         /* IA32_PERF_GLOBAL_CTRL before a legacy freeze */
    uint64_t pebs_seen;              /* armed counters whose event has come once */
    uint64_t newest_from, newest_to; /* the last branch or event reported */
    uint64_t setting;                /* IA32_DEBUGCTL when TR was set */
    uint64_t area_base, area_maximum, area_threshold; /* BTS fields when IA32_DS_AREA was written */
    uint64_t area_resets[DS_COUNTERS_MAX];
    uint64_t snapshots[DS_COUNTERS_MAX]; /* counters in the newest record that has them */
    uint32_t pmi_again;                  /* instructions until an interrupt is repeated; 0: never */
    bool lbr_frozen;                     /* by a legacy freeze; LBR was not set since */
    bool bts_goes_on;                    /* TR was cleared, but one more record will be stored */
    bool junk_due;                       /* a junk record will be stored next */
    bool status_refused;                 /* the last clear of status bits was ignored */
    bool freeze_due;                     /* a freeze waits until the interrupt is taken */
    bool step_due;                       /* a single-step trap comes after the next instruction */
    bool tr_feeds;                       /* TR updates the LBR stack at present */
    bool taking_refused;                 /* a write that was refused is done without a bit */
    bool latching;                       /* the area is being read into area_… */
    bool freezing_at_last;               /* the freeze that waited happens now */
    bool lbr_stuck;      /* a thawed architectural stack stays off until IA32_LBR_CTL is written */
    bool lbr_unmodified; /* no register of that stack was written since XRSTORS */
    uint64_t reloaded;   /* counters that others reloaded since their causes were written */
};

/* State of errata; unused in a healthy processor. */
struct ds_errata_memory {
    uint64_t older_ip;      /* the instruction before this one */
    uint64_t pebs_skipped;  /* armed counters whose event has come once */
    uint64_t pebs_due;      /* counters whose record the next instruction makes */
    uint64_t pebs_disabled; /* the same, for counters that are disabled */
    uint64_t again_while;   /* repeats an interrupt while these status bits are set; 0: always */
    uint32_t again_times, again_after; /* repeats to come; instructions to the next */
    uint32_t pebs_pmi_wait;            /* records to the delayed interrupt, plus one */
    uint64_t overflowed;               /* counters that overflowed in the last instructions */
    uint32_t overflowed_for;           /* instructions for which that still counts */
    uint64_t overflow_sticks;          /* counters that overflow again when enabled */
    uint32_t pause;                    /* instructions for which some counters still pause */
    bool taken;                        /* the running instruction was a taken branch */
    bool flush_due;                    /* counters need their sequence of events first */
    bool bts_junk_due, lbr_junk_due;   /* a junk record comes before the next */
    bool from_lost;                    /* FROM of the next branch is lost */
    uint64_t branch_to;                /* TO of the newest branch */
};

/* State of one logical processor, plain data. The glue keeps it over the emulator's resets. */
struct ds_cpu {
    struct ds_profile profile;
    struct ds_variation variation;
    struct ds_not_lent not_lent; /* set once, as the profile */

    uint64_t debugctl;    /* IA32_DEBUGCTL (F2.1) */
    uint64_t ds_area;     /* IA32_DS_AREA (F3.1) */
    uint64_t misc_enable; /* IA32_MISC_ENABLE */
    bool in_smm;
    bool long_mode_active; /* IA32_EFER.LMA */
    bool protected_mode;   /* CR0.PE; only faults use it */

    bool pmi_on_its_way;   /* a threshold was reached; the request is delayed */
    uint32_t pmi_records;  /* records to go before the request */
    uint64_t smm_debugctl; /* IA32_DEBUGCTL as found by an SMI under FREEZE_WHILE_SMM (F10.1) */
    bool left_running; /* counters may run since firmware; no register of them was written since */
    bool smm_froze;    /* smm_debugctl is to be restored at RSM */
    uint64_t predictor[256];      /* last target of the branches in a slot; 0: none yet */
    uint64_t predictor_next[256]; /* the branch taken after one with the target predictor_at */
    uint64_t predictor_at;        /* the last target */

    uint64_t general[DS_GENERAL_COUNTERS_MAX];        /* IA32_PMCx (F6.1) */
    uint64_t general_select[DS_GENERAL_COUNTERS_MAX]; /* IA32_PERFEVTSELx */
    uint64_t fixed[DS_FIXED_COUNTERS_MAX];            /* IA32_FIXED_CTRx */
    uint64_t loaded[DS_COUNTERS_MAX];        /* the value that each counter last started from */
    uint64_t reload_causes[DS_COUNTERS_MAX]; /* CFG_B: whose overflow reloads it (F21.15) */
    uint64_t config_c[DS_COUNTERS_MAX];      /* CFG_C: 31:0 the value to reload */
    uint64_t fixed_control;                  /* IA32_FIXED_CTR_CTRL */
    uint64_t metrics_written;           /* PERF_METRICS as written, and as read until it counts */
    uint64_t metrics_slots[DS_METRICS]; /* slots since that write, by their use (F21.16) */
    bool metrics_count;                 /* PERF_METRICS counts at present */
    uint64_t global_control;            /* IA32_PERF_GLOBAL_CTRL */
    uint64_t global_status;             /* IA32_PERF_GLOBAL_STATUS */
    uint64_t smm_global_control;        /* as found by an SMI under FREEZE_WHILE_SMM (F10.1) */
    uint64_t counting;         /* counters that count at present, numbered as in GLOBAL_CTRL */
    uint64_t edge_seen;        /* counters whose condition held at the last instruction (F6.21) */
    bool pmi_skidding;         /* an overflow has happened; the request is delayed */
    uint32_t pmi_instructions; /* instructions to go before the request */
    uint64_t branch_from;      /* branch reported, whose instruction has not retired yet */
    bool branch_reported, branch_mispredicted;
    uint8_t branch_kind; /* its enum ds_branch_kind */
    bool threshold_met;  /* the newest record reached the threshold */

    uint64_t pebs_enable;                  /* IA32_PEBS_ENABLE (F3.60) */
    uint64_t pebs_data_config;             /* MSR_PEBS_DATA_CFG (F3.46) */
    uint64_t pebs_reload[DS_COUNTERS_MAX]; /* MSR_RELOAD_PMCx and MSR_RELOAD_FIXED_CTRx (F22.24) */
    struct ds_registers pebs_before; /* before the next instruction, for fault-like PEBS (F3.62) */
    uint64_t arch_pebs_base;         /* IA32_PEBS_BASE (F22.30) */
    uint64_t arch_pebs_index;        /* IA32_PEBS_INDEX (F22.31) */
    uint64_t pebs_armed;  /* counters that have wrapped: the next event makes a record (F3.62) */
    uint64_t pebs_arming; /* counters that have wrapped and will be armed */
    uint32_t pebs_instructions[DS_COUNTERS_MAX]; /* until each of these is armed */
    uint64_t force_abort;                        /* TSX_FORCE_ABORT (F25.12) */
    uint8_t overcount_due;                       /* what the next instruction counts too many */
    uint64_t before_event[DS_COUNTERS_MAX]; /* values before the event, if records have these */
    uint64_t retired_at;     /* time of the newest retirement while PEBS is timed; 0: not known */
    uint64_t load_latency;   /* MSR_PEBS_LD_LAT_THRESHOLD */
    uint64_t uncore_control; /* MSR_UNCORE_PERF_GLOBAL_CTRL */
    uint64_t frontend;       /* MSR_PEBS_FRONTEND */
    uint64_t offcore[2];     /* MSR_OFFCORE_RSP_0 and 1 */

    uint64_t lbr_from[DS_LBR_DEPTH_MAX], lbr_to[DS_LBR_DEPTH_MAX], lbr_info[DS_LBR_DEPTH_MAX];
    uint64_t lbr_top;    /* MSR_LASTBRANCH_TOS: the newest entry (F8.2) */
    uint64_t lbr_select; /* MSR_LBR_SELECT (F8.20) */
    uint64_t lbr_tsc;    /* time of the newest entry */

    /* The architectural stack (F20.9); its entry 0, the newest, is lbr_from[0] and so on. */
    uint64_t lbr_control;  /* IA32_LBR_CTL */
    uint64_t lbr_depth;    /* IA32_LBR_DEPTH */
    uint64_t xss;          /* IA32_XSS */
    bool smm_lbr_on;       /* RSM sets LBREn again (F20.31) */
    bool lbr_timed;        /* lbr_tsc is valid: an entry was made since recording began */
    uint8_t lbr_events[4]; /* events of PMC0 to 3, logged since that entry (F20.24) */
    uint8_t lbr_inserts;   /* entries made since an instruction was counted */

    uint64_t last_from, last_to; /* the newest branch, for the LER registers */
    uint64_t last_info;          /* likewise for IA32_LER_INFO */
    uint64_t ler_from, ler_to;   /* MSR_LER_FROM_LIP and MSR_LER_TO_LIP (F8.30) */
    uint64_t ler_info;           /* IA32_LER_INFO, with architectural LBRs (F20.34) */

    uint64_t random; /* state of the random generator */

    struct ds_fault_settings faults;
    struct ds_fault_memory fault_memory;
    struct ds_errata_settings errata;
    struct ds_errata_memory errata_memory;
};

enum ds_branch_kind {
    DS_BRANCH_CONDITIONAL, /* Jcc, LOOP*, J*CXZ; taken */
    DS_BRANCH_JMP_RELATIVE,
    DS_BRANCH_JMP_INDIRECT,
    DS_BRANCH_CALL_RELATIVE,
    DS_BRANCH_CALL_INDIRECT,
    DS_BRANCH_RET,
    DS_BRANCH_FAR,                /* far JMP, CALL, RET; IRET; SYSCALL and its relatives */
    DS_BRANCH_SOFTWARE_INTERRUPT, /* INT n, INT3, INTO; from: the instruction, length: its bytes */
    DS_BRANCH_INTERRUPT,          /* external, NMI, PMI */
    DS_BRANCH_EXCEPTION,          /* faults and traps except #DB */
    DS_BRANCH_DEBUG_EXCEPTION,    /* #DB (INT1 too) */
};

/* A control transfer that has happened; from and to as F4.3 defines them for each kind. */
struct ds_branch {
    uint64_t from;
    uint64_t to;
    uint64_t from_base; /* of the code segment that from lies in; 0 in 64-bit mode */
    uint64_t to_base;
    uint8_t old_cpl; /* at from */
    uint8_t new_cpl; /* at to */
    uint8_t length;  /* bytes of the branch instruction; 0: unknown, or no instruction */
    enum ds_branch_kind kind;
    bool breakpoint; /* a #DB only by a debug register; only a fault uses it */
    bool nmi;        /* the interrupt is an NMI; only a fault uses it */
};

enum ds_msr_result { DS_MSR_DONE, DS_MSR_FAULT, DS_MSR_NOT_MINE };

/* RDMSR and WRMSR; the caller has checked CPL. DS_MSR_FAULT: #GP(0), with nothing changed
 * (F2.3). */
enum ds_msr_result ds_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result ds_msr_write(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                                uint64_t value);

/* RDPMC at this CPL with ECX = index; the caller has checked the right to use it. False for #GP(0)
 * (F6.23). */
bool ds_rdpmc(const struct ds_cpu *cpu, unsigned cpl, uint32_t index, uint64_t *value);

/* RESET sets everything to its power-up value; INIT only stops recording (F2.6, F10.30). */
void ds_reset(struct ds_cpu *cpu);
void ds_init(struct ds_cpu *cpu);

/*
 * A branch was taken or an event delivered. The registers are already those at the target, and no
 * instruction there has run. To be called for every interrupt and exception, and for branch
 * instructions while ds_wants_branches(). INT n, INT3 and INTO are one event each.
 */
void ds_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch);

/*
 * Must branch instructions be reported in the present state, at any CPL? Any call that takes a
 * struct ds_cpu * may change the answer. Reporting for longer does no harm.
 */
bool ds_wants_branches(const struct ds_cpu *cpu);

/*
 * Single step: does a #DB with DR6.BS follow now, by TF and BTF (F9.1)? To be called only if TF was
 * set when the instruction began or the event arrived:
 * - after an instruction, where a single-step trap is due; branch: as reported to ds_branch(), or
 * NULL if it did not branch (ds_wants_branches() holds while BTF is set); ip: its linear address,
 * which only faults use;
 * - after the delivery of an interrupt, exception or INT n; branch: that event.
 * The #DB's delivery is then reported to ds_branch(), which clears BTF and LBR (F9.4).
 */
bool ds_step_trap(struct ds_cpu *cpu, const struct ds_host *host, uint64_t ip,
                  const struct ds_branch *branch);

/* An instruction that retired, not one that faulted. A repeated string instruction retires once
 * (F6.26). */
struct ds_instruction {
    uint64_t ip;   /* its linear address */
    uint64_t next; /* address of the instruction that runs after it */
    uint64_t base; /* of the code segment that it lies in; 0 in 64-bit mode */
    uint64_t next_base;
    uint8_t cpl;  /* at which it ran */
    bool branch;  /* a branch instruction, taken or not */
    bool code_64; /* it ran in 64-bit mode */
};

/*
 * To be called while ds_wants_instructions(), before the next instruction or event, and for a taken
 * branch after its ds_branch(). A WRMSR that starts a counter is the first instruction it counts;
 * one that stops it is not counted. Every instruction is one cycle long; a halted processor has no
 * cycles.
 */
void ds_instruction(struct ds_cpu *cpu, const struct ds_host *host,
                    const struct ds_instruction *instruction);

/* Must retired instructions be reported in the present state? See ds_wants_branches(). */
bool ds_wants_instructions(const struct ds_cpu *cpu);

/* IA32_EFER.LMA has this value now; without DTES64 it decides the DS layout (F1.5). */
void ds_set_long_mode(struct ds_cpu *cpu, bool active);

/* CR0.PE has this value now; only faults use it. */
void ds_set_protected_mode(struct ds_cpu *cpu, bool active);

/* ds_smm_enter(): an SMI was taken, and no instruction of its handler has run. ds_smm_leave(): RSM
 * is done. Branches in between are not stored (F10.2). */
void ds_smm_enter(struct ds_cpu *cpu);
void ds_smm_leave(struct ds_cpu *cpu);

/* A machine-check exception is generated (F10.20); to be called before its delivery is reported. */
void ds_machine_check(struct ds_cpu *cpu);

/* Does a pending interrupt move when its LVT entry is rewritten? Only a fault causes that. */
bool ds_redirects_pmi(const struct ds_cpu *cpu);

/* Frequency, voltage or duty cycle changed, or the clock stood still (C1E). */
void ds_transition(struct ds_cpu *cpu);

/* The processor halts (HLT, MWAIT): delivers a delayed PMI, which might otherwise never come. */
void ds_halt(struct ds_cpu *cpu, const struct ds_host *host);

/* Do XSAVES, XRSTORS and IA32_XSS exist, with component 15 (F20.36)? */
bool ds_has_xsaves(const struct ds_profile *profile);

/* Component 15, in eight-byte units: XSAVES makes its image, XRSTORS loads it or initialises the
 * state. ds_lbr_save() returns false if memory must stay as it is, which only a fault causes.
 * ds_lbr_restore() returns false if the image is refused; nothing is changed then. */
#define DS_LBR_IMAGE 101
bool ds_lbr_save(struct ds_cpu *cpu, uint64_t image[DS_LBR_IMAGE]);
bool ds_lbr_restore(struct ds_cpu *cpu, const uint64_t image[DS_LBR_IMAGE]);
void ds_lbr_initial(struct ds_cpu *cpu);

#endif
