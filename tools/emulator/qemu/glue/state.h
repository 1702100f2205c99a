// SPDX-License-Identifier: GPL-2.0-or-later
/* The glue's state of one processor, private to the glue. */
#ifndef DEBUG_STORE_STATE_H
#define DEBUG_STORE_STATE_H

#include "board.h"
#include "glue.h"
#include "model/debug_store.h"
#include "model/fast.h"

/* The running instruction. It has retired when the next one starts. */
struct running_instruction {
    bool known;
    bool branch; /* it is a branch instruction, taken or not */
    uint8_t cpl;
    uint64_t ip;   /* linear */
    uint64_t base; /* of its code segment */
    bool code_64;  /* in 64-bit mode */
};

#define DEBUG_STORE_PROPERTIES_MAX 256
#define DEBUG_STORE_ALL            UINT32_MAX

struct DebugStore {
    struct ds_cpu model;
    struct ds_profile second;             /* profile of the processors in the second half */
    bool set[DEBUG_STORE_PROPERTIES_MAX]; /* the fields of `second` that were set as properties */
    uint32_t fault_cpu;                   /* the processor that has the fault, or ..._ALL */
    struct ds_host host;
    X86CPU *cpu;
    struct ds_fast fast;      /* the fast path, settled for the next two */
    uint32_t fast_key;        /* the processor's flags; 0: to be settled again */
    int fast_mmu_index;       /* the supervisor's MMU index */
    bool slow;                /* x-ds-fast=off: no fast path */
    struct ds_branch pending; /* a transfer that has begun but may still fault */
    struct running_instruction running;
    struct ds_branch last_branch; /* the last one reported */
    uint64_t stepped;             /* the instruction under TF, linear */
    uint64_t trap_from;           /* the instruction whose trap is raised next, if trap_known */
    bool trap_known;
    bool branched;         /* a branch since the instruction under TF began */
    bool stepping;         /* TF was set when the event came */
    uint8_t pmi_vector;    /* vector of the last PMI delivered */
    bool pmi_requested;    /* since it was last cleared */
    bool hangs;            /* the running WRMSR never ends */
    bool init_in_progress; /* the next reset is an INIT */
    bool configured;       /* an x-ds-... property was set */
    bool not_lent_way;     /* x-ds-not-lent-way was set */
    char hypervisor[12];   /* its signature, padded with NULs; empty: QEMU's own */
    struct board board;
};

typedef struct DebugStore DebugStore;

static inline DebugStore *debug_store_of(CPUX86State *env)
{
    return env_archcpu(env)->debug_store;
}

/* Adds the x-ds-... properties to a new processor. */
void debug_store_add_properties(X86CPU *cpu);

/* The first chooses the profile by the half of the machine that the processor is in, the second the
 * faults by its number. NULL, or a sentence that says what is wrong. */
void debug_store_choose_core(DebugStore *store);
const char *debug_store_choose_fault(DebugStore *store);

/* The properties of a hypervisor's guest: the first adds them, the second checks them. NULL, or a
 * sentence that says what is wrong. */
void debug_store_add_hypervisor_properties(X86CPU *cpu);
const char *debug_store_settle_hypervisor(const DebugStore *store);

/* Fills host with the actions of this processor. */
void debug_store_set_host(DebugStore *store);

/* Reports the present mode to the model; to be called before any event. */
void debug_store_before_event(DebugStore *store);

/* Something other than a near branch happened: the fast path must be settled again. */
void debug_store_unsettle(DebugStore *store);

/* A near branch on the long path. */
void debug_store_near_branch(CPUX86State *env, target_ulong from, target_ulong to,
                             enum ds_branch_kind kind, uint8_t length);

/* WRMSR wrote a register of the model; to be called after that event. */
void debug_store_msr_written(DebugStore *store);

bool board_is_nehalem_or_later(const DebugStore *store);

/* Registers and events that change the clock. */
const char *board_settle_power(DebugStore *store);
void board_reset_power(DebugStore *store);
void board_power_halts(DebugStore *store);
enum ds_msr_result board_read_power(const DebugStore *store, uint32_t msr, uint64_t *value);
enum ds_msr_result board_write_power(DebugStore *store, uint32_t msr, uint64_t value);

/* Sets up what the model wants from the translator; to be called after any event. */
void debug_store_after_event(DebugStore *store);

#endif
