// SPDX-License-Identifier: GPL-2.0-or-later
/* RDMSR, WRMSR and RDPMC of what the model says is its own; the rest stays the emulator's. */
#include "qemu/osdep.h"
#include "state.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"

bool debug_store_rdmsr(CPUX86State *env, uintptr_t return_address)
{
    DebugStore *store = debug_store_of(env);
    uint64_t value = 0;

    if (!store->model.profile.present) {
        return false;
    }
    debug_store_unsettle(store); /* who uses a counter may have set it up */
    switch (ds_msr_read(&store->model, (uint32_t)env->regs[R_ECX], &value)) {
    case DS_MSR_NOT_MINE:
        return false;
    case DS_MSR_FAULT:
        raise_exception_err_ra(env, EXCP0D_GPF, 0, return_address);
    case DS_MSR_DONE:
        break;
    }
    env->regs[R_EAX] = (uint32_t)value;
    env->regs[R_EDX] = value >> 32;
    return true;
}

/* Halts at this instruction with every interrupt held back: only RESET and INIT are none. */
static G_NORETURN void stop_for_ever(CPUX86State *env, uintptr_t return_address)
{
    CPUState *cs = env_cpu(env);

    env->hflags2 &= ~HF2_GIF_MASK;
    cs->halted = 1;
    cs->exception_index = EXCP_HLT;
    cpu_loop_exit_restore(cs, return_address);
}

bool debug_store_wrmsr(CPUX86State *env, uint64_t value, uintptr_t return_address)
{
    DebugStore *store = debug_store_of(env);
    enum ds_msr_result result;

    if (!store->model.profile.present) {
        return false;
    }
    debug_store_before_event(store);
    result = ds_msr_write(&store->model, &store->host, (uint32_t)env->regs[R_ECX], value);
    if (result == DS_MSR_FAULT) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, return_address);
    }
    debug_store_after_event(store);
    if (store->hangs) {
        stop_for_ever(env, return_address);
    }
    debug_store_msr_written(store);
    return result == DS_MSR_DONE;
}

/* With counters only (debug_store_gen_rdpmc). The right to use it: CR4.PCE, or CPL 0 (F6.23). */
void helper_debug_store_rdpmc(CPUX86State *env)
{
    unsigned cpl = env->hflags & HF_CPL_MASK;
    bool allowed = (env->cr[4] & CR4_PCE_MASK) || cpl == 0;
    uint64_t value;

    cpu_svm_check_intercept_param(env, SVM_EXIT_RDPMC, 0, GETPC());
    if (!allowed ||
        !ds_rdpmc(&debug_store_of(env)->model, cpl, (uint32_t)env->regs[R_ECX], &value)) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, GETPC());
    }
    env->regs[R_EAX] = (uint32_t)value;
    env->regs[R_EDX] = value >> 32;
}
