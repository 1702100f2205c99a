// SPDX-License-Identifier: GPL-2.0-or-later
/* The glue's own state of one processor; seen by the glue alone. */
#ifndef DEBUG_STORE_STATE_H
#define DEBUG_STORE_STATE_H

#include "board.h"
#include "glue.h"
#include "model/debug_store.h"
#include "model/fast.h"

/* The instruction that runs now; when the next one starts, it has retired. */
struct running_instruction {
    bool known;
    bool branch; /* it branches, or is a branch that was not taken */
    uint8_t cpl;
    uint64_t ip;   /* linear */
    uint64_t base; /* of its code segment */
    bool code_64;  /* in 64-bit mode */
};

#define DEBUG_STORE_PROPERTIES_MAX 256
#define DEBUG_STORE_ALL            UINT32_MAX

struct DebugStore {
    struct ds_cpu model;
    struct ds_profile second;             /* fields of the second half's processors; which of: */
    bool set[DEBUG_STORE_PROPERTIES_MAX]; /* the properties of fields somebody has set */
    uint32_t fault_cpu;                   /* the processor that has the fault, or ..._ALL */
    struct ds_host host;
    X86CPU *cpu;
    struct ds_fast fast;      /* settled for: */
    uint32_t fast_key;        /* the processor's flags, 0: to be settled anew; with: */
    int fast_mmu_index;       /* of the supervisor */
    bool slow;                /* x-ds-fast=off: never */
    struct ds_branch pending; /* a transfer that has begun, and may fault instead */
    struct running_instruction running;
    struct ds_branch last_branch; /* the last one reported */
    uint64_t stepped;             /* the instruction under TF, linear */
    uint64_t trap_from;           /* the instruction whose trap is raised next; with: */
    bool trap_known;
    bool branched;         /* since the instruction under TF began */
    bool stepping;         /* TF was set when the event came */
    uint8_t pmi_vector;    /* of the newest one that was delivered */
    bool pmi_requested;    /* since somebody last cleared it */
    bool hangs;            /* the WRMSR that runs never ends */
    bool init_in_progress; /* the reset that is coming is an INIT */
    bool configured;       /* an x-ds-... property was set */
    bool not_lent_way;     /* x-ds-not-lent-way was */
    char hypervisor[12];   /* its signature, filled up with NULs; none: the emulator's own */
    struct board board;
};

typedef struct DebugStore DebugStore;

static inline DebugStore *debug_store_of(CPUX86State *env)
{
    return env_archcpu(env)->debug_store;
}

/* Adds the x-ds-... properties to a new processor. */
void debug_store_add_properties(X86CPU *cpu);

/* Whichever half of the machine the processor is in: what it has, and whether it has the fault.
 * NULL, or a sentence on what is wrong. */
void debug_store_choose_core(DebugStore *store);
const char *debug_store_choose_fault(DebugStore *store);

/* What a hypervisor's guest is. NULL, or a sentence on what is wrong. */
void debug_store_add_hypervisor_properties(X86CPU *cpu);
const char *debug_store_settle_hypervisor(const DebugStore *store);

/* Fills host with the actions of this processor. */
void debug_store_set_host(DebugStore *store);

/* Tells the model about the present mode; to be called before any event. */
void debug_store_before_event(DebugStore *store);

/* Something has happened that is no near branch: what was settled for those holds no more. */
void debug_store_unsettle(DebugStore *store);

/* A near branch, the long way. */
void debug_store_near_branch(CPUX86State *env, target_ulong from, target_ulong to,
                             enum ds_branch_kind kind, uint8_t length);

/* WRMSR has written a register of the model; to be called after that event. */
void debug_store_msr_written(DebugStore *store);

bool board_is_nehalem_or_later(const DebugStore *store);

/* What changes the clock. */
const char *board_settle_power(DebugStore *store);
void board_reset_power(DebugStore *store);
void board_power_halts(DebugStore *store);
enum ds_msr_result board_read_power(const DebugStore *store, uint32_t msr, uint64_t *value);
enum ds_msr_result board_write_power(DebugStore *store, uint32_t msr, uint64_t value);

/* Takes over what the model wants from the translator; to be called after any event. */
void debug_store_after_event(DebugStore *store);

#endif
