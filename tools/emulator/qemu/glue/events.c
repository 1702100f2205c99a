// SPDX-License-Identifier: GPL-2.0-or-later
/* Control transfers and changes of mode, as the model wants to hear of them (F4.3). */
#include "qemu/osdep.h"
#include "state.h"
#include "exec/cpu-common.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"

void debug_store_before_event(DebugStore *store)
{
    ds_set_long_mode(&store->model, store->cpu->env.hflags & HF_LMA_MASK);
    ds_set_protected_mode(&store->model, store->cpu->env.hflags & HF_PE_MASK);
}

void debug_store_after_event(DebugStore *store)
{
    CPUX86State *env = &store->cpu->env;
    uint32_t before = env->hflags;

    debug_store_unsettle(store);
    env->hflags &= ~(HF_DS_BRANCHES_MASK | HF_DS_INSTRUCTIONS_MASK);
    if (ds_wants_branches(&store->model)) {
        env->hflags |= HF_DS_BRANCHES_MASK;
    }
    if (ds_wants_instructions(&store->model)) {
        env->hflags |= HF_DS_INSTRUCTIONS_MASK;
    }
    if ((before ^ env->hflags) & HF_DS_INSTRUCTIONS_MASK) {
        store->running.known = false; /* it started under other rules */
    }
}

/*
 * The same in the middle of a block. Where its flags are not those of the block any more, that must
 * neither be chained to the next one nor go on into the one that it was chained to, which was
 * translated for the flags before.
 */
static void after_event_in_block(DebugStore *store)
{
    uint32_t before = store->cpu->env.hflags;

    debug_store_after_event(store);
    if (before != store->cpu->env.hflags) {
        cpu_exit(CPU(store->cpu));
    }
}

static uint64_t linear_address(const CPUX86State *env, target_ulong eip)
{
    if (env->hflags & HF_CS64_MASK) {
        return eip;
    }
    return (uint32_t)(env->segs[R_CS].base + eip);
}

/* The code segment's base, if addresses have it added. */
static uint64_t code_base(const CPUX86State *env)
{
    return env->hflags & HF_CS64_MASK ? 0 : env->segs[R_CS].base;
}

static uint8_t privilege_level(const CPUX86State *env)
{
    return env->hflags & HF_CPL_MASK;
}

static void report(DebugStore *store, const struct ds_branch *branch)
{
    debug_store_before_event(store);
    ds_branch(&store->model, &store->host, branch);
    after_event_in_block(store);
}

/* A branch instruction, and not an event. */
static void report_instruction(DebugStore *store, const struct ds_branch *branch)
{
    report(store, branch);
    store->last_branch = *branch;
    store->branched = true;
}

/* Under TF a block is one instruction; whether it branches is asked when its trap is due. */
void helper_debug_store_step_begins(CPUX86State *env, target_ulong eip)
{
    DebugStore *store = debug_store_of(env);

    store->branched = false;
    store->stepped = linear_address(env, eip);
}

/* The #DB that is raised next is a trap of this instruction, which is its FROM (F4.4). */
static void trap_of(DebugStore *store, uint64_t ip)
{
    store->trap_known = true;
    store->trap_from = ip;
}

/* A single-step trap is due. With BTF it may not come: back to the main loop, to go on (F9.1). */
void debug_store_single_step(CPUX86State *env)
{
    DebugStore *store = debug_store_of(env);
    bool traps;

    if (!store->model.profile.present) {
        return;
    }
    debug_store_before_event(store);
    traps = ds_step_trap(&store->model, &store->host, store->stepped,
                         store->branched ? &store->last_branch : NULL);
    debug_store_after_event(store);
    if (!traps) {
        store->branched = false;
        cpu_loop_exit_noexc(env_cpu(env));
    }
    trap_of(store, store->branched ? store->last_branch.from : store->stepped);
    store->branched = false;
}

/* INT1 is a trap, and raised next. */
void helper_debug_store_int1(CPUX86State *env, target_ulong eip)
{
    DebugStore *store = debug_store_of(env);

    if (store->model.profile.present) {
        trap_of(store, linear_address(env, eip));
    }
}

/*
 * The running instruction retired, unless next is the same instruction and no branch: then it
 * faulted, or is a repeated string instruction that goes on.
 */
static void retire(DebugStore *store, uint64_t next)
{
    struct running_instruction *running = &store->running;
    struct ds_instruction instruction = {
        .ip = running->ip,
        .next = next,
        .base = running->base,
        .next_base = code_base(&store->cpu->env),
        .cpl = running->cpl,
        .branch = running->branch,
        .code_64 = running->code_64,
    };

    if (!running->known || (running->ip == next && !running->branch)) {
        return;
    }
    running->known = false;
    debug_store_before_event(store);
    ds_instruction(&store->model, &store->host, &instruction);
    after_event_in_block(store);
}

/* The instruction at EIP runs, and will be reported when the next one starts. */
static void runs(DebugStore *store)
{
    const CPUX86State *env = &store->cpu->env;

    store->running = (struct running_instruction){
        .known = true,
        .cpl = privilege_level(env),
        .ip = linear_address(env, env->eip),
        .base = code_base(env),
        .code_64 = env->hflags & HF_CS64_MASK,
    };
}

/* WRMSR acts before it retires: what it has started counts it, though its block reports nothing. */
void debug_store_msr_written(DebugStore *store)
{
    if (ds_wants_instructions(&store->model) && !store->running.known) {
        runs(store);
    }
}

/*
 * The first thing in a block of one instruction. A PMI that the instruction before has caused is
 * taken before this one runs: back to the main loop, which comes here again if it cannot be taken.
 */
void helper_debug_store_instruction(CPUX86State *env)
{
    DebugStore *store = debug_store_of(env);
    uint64_t ip = linear_address(env, env->eip);

    if (store->running.known && store->running.ip == ip && !store->running.branch) {
        return;
    }
    store->pmi_requested = false;
    retire(store, ip);
    if (store->pmi_requested) {
        cpu_loop_exit_noexc(env_cpu(env));
    }
    runs(store);
}

void helper_debug_store_is_branch(CPUX86State *env)
{
    debug_store_of(env)->running.branch = true;
}

/* A near branch: same code segment, same privilege level. */
void debug_store_near_branch(CPUX86State *env, target_ulong from, target_ulong to,
                             enum ds_branch_kind kind, uint8_t length)
{
    struct ds_branch branch = {
        .from = linear_address(env, from),
        .to = linear_address(env, to),
        .from_base = code_base(env),
        .to_base = code_base(env),
        .old_cpl = privilege_level(env),
        .new_cpl = privilege_level(env),
        .length = length,
        .kind = kind,
    };

    report_instruction(debug_store_of(env), &branch);
}

static void transfer_begins(DebugStore *store, target_ulong from, enum ds_branch_kind kind,
                            uint8_t length)
{
    CPUX86State *env = &store->cpu->env;

    store->pending = (struct ds_branch){
        .from = linear_address(env, from),
        .from_base = code_base(env),
        .old_cpl = privilege_level(env),
        .length = length,
        .kind = kind,
    };
}

static void transfer_ends(DebugStore *store)
{
    CPUX86State *env = &store->cpu->env;

    store->pending.to = linear_address(env, env->eip);
    store->pending.to_base = code_base(env);
    store->pending.new_cpl = privilege_level(env);
}

void helper_debug_store_far_begins(CPUX86State *env, target_ulong from, uint32_t length)
{
    transfer_begins(debug_store_of(env), from, DS_BRANCH_FAR, length);
}

void helper_debug_store_far_ends(CPUX86State *env)
{
    DebugStore *store = debug_store_of(env);

    transfer_ends(store);
    report_instruction(store, &store->pending);
}

static enum ds_branch_kind event_kind(int vector, int software, int hardware)
{
    if (software) {
        return DS_BRANCH_SOFTWARE_INTERRUPT;
    }
    if (hardware) {
        return DS_BRANCH_INTERRUPT;
    }
    return vector == EXCP01_DB ? DS_BRANCH_DEBUG_EXCEPTION : DS_BRANCH_EXCEPTION;
}

/* EIP is the INT instruction, the faulting instruction or the return address: FROM in each case but
 * that of a trap.
 */
void debug_store_event_begins(X86CPU *cpu, int vector, int software, int hardware)
{
    DebugStore *store = cpu->debug_store;
    CPUX86State *env = &cpu->env;
    uint8_t length = software ? env->exception_next_eip - env->eip : 0;

    if (!store->model.profile.present) {
        return;
    }
    if (!software) {
        retire(store, linear_address(env, env->eip));
        store->running.known = false;
    }
    if (vector == EXCP12_MCHK && !software) {
        ds_machine_check(&store->model);
    }
    transfer_begins(store, env->eip, event_kind(vector, software, hardware), length);
    if (store->pending.kind == DS_BRANCH_DEBUG_EXCEPTION && store->trap_known) {
        store->pending.from = store->trap_from;
    }
    store->pending.breakpoint =
        store->pending.kind == DS_BRANCH_DEBUG_EXCEPTION && !store->trap_known;
    store->pending.nmi = store->pending.kind == DS_BRANCH_INTERRUPT && vector == EXCP02_NMI;
    store->trap_known = false;
    store->stepping = env->eflags & TF_MASK;
    board_event_comes(store);
}

/* BTF may trap after the delivery, before the handler's first instruction (F9.2). */
static void step_after_event(X86CPU *cpu)
{
    DebugStore *store = cpu->debug_store;

    if (store->stepping &&
        ds_step_trap(&store->model, &store->host, store->pending.from, &store->pending)) {
        cpu->env.old_exception = -1; /* the first one is delivered */
        cpu->env.dr[6] |= DR6_BS;
        debug_store_event_begins(cpu, EXCP01_DB, 0, 0);
        store->pending.breakpoint = false;
        do_interrupt_all(cpu, EXCP01_DB, 0, 0, 0, 0);
        debug_store_event_ends(cpu);
    }
}

void debug_store_event_ends(X86CPU *cpu)
{
    DebugStore *store = cpu->debug_store;

    if (store->model.profile.present) {
        transfer_ends(store);
        report(store, &store->pending);
        store->branched = false;
        store->running.branch = true; /* INT n retires when its handler starts */
        step_after_event(cpu);
    }
}

void debug_store_smm_entered(CPUX86State *env)
{
    DebugStore *store = debug_store_of(env);

    if (store->model.profile.present) {
        retire(store, linear_address(env, env->eip));
        store->running.known = false;
        ds_smm_enter(&store->model);
        debug_store_after_event(store);
        board_smi_comes(store);
    }
}

void debug_store_smm_left(CPUX86State *env)
{
    DebugStore *store = debug_store_of(env);

    if (store->model.profile.present) {
        ds_smm_leave(&store->model);
        debug_store_after_event(store);
        board_smi_is_over(store);
    }
}

/* The trap of TF after HLT. */
bool debug_store_trap_held_back(X86CPU *cpu)
{
    DebugStore *store = cpu->debug_store;
    bool traps;

    if (!store->model.profile.present || !(cpu->env.eflags & TF_MASK)) {
        return false;
    }
    traps = ds_step_trap(&store->model, &store->host, store->stepped, NULL);
    if (traps) {
        trap_of(store, store->stepped);
    }
    return !traps;
}

void debug_store_halts(CPUX86State *env)
{
    DebugStore *store = debug_store_of(env);

    if (store->model.profile.present) {
        retire(store, linear_address(env, env->eip));
        debug_store_before_event(store);
        ds_halt(&store->model, &store->host);
        debug_store_after_event(store);
        board_halts(store);
    }
}
