// SPDX-License-Identifier: GPL-2.0-or-later
/* Registers that have nothing to do with tracing, and that the emulator does otherwise than boards.
 */
#include "qemu/osdep.h"
#include "state.h"
#include "tcg/helper-tcg.h"

/* Core, Bonnell and their relatives have no MSR_SMI_COUNT, which came with Nehalem (F10.7). */
static bool counts_smis(const struct ds_profile *profile)
{
    static const uint8_t without[] = {0x1c, 0x1d, 0x26, 0x27, 0x35, 0x36};

    return profile->model >= 0x1a && !memchr(without, profile->model, sizeof(without));
}

static enum ds_msr_result read_register(const DebugStore *store, uint32_t msr, uint64_t *value)
{
    switch (msr) {
    case MSR_SMI_COUNT:
        *value = (uint32_t)store->cpu->env.msr_smi_count;
        return counts_smis(&store->model.profile) ? DS_MSR_DONE : DS_MSR_FAULT;
    default:
        return DS_MSR_NOT_MINE;
    }
}

static enum ds_msr_result write_register(DebugStore *store, uint32_t msr, uint64_t value)
{
    switch (msr) {
    case MSR_SMI_COUNT:
        return DS_MSR_FAULT; /* read-only, or not there */
    default:
        return DS_MSR_NOT_MINE;
    }
}

bool debug_store_board_rdmsr(CPUX86State *env, uintptr_t return_address)
{
    DebugStore *store = debug_store_of(env);
    enum ds_msr_result result;
    uint64_t value = 0;

    if (!store->model.profile.present) {
        return false;
    }
    result = read_register(store, (uint32_t)env->regs[R_ECX], &value);
    if (result == DS_MSR_FAULT) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, return_address);
    }
    if (result == DS_MSR_DONE) {
        env->regs[R_EAX] = (uint32_t)value;
        env->regs[R_EDX] = value >> 32;
    }
    return result == DS_MSR_DONE;
}

bool debug_store_board_wrmsr(CPUX86State *env, uint64_t value, uintptr_t return_address)
{
    DebugStore *store = debug_store_of(env);
    enum ds_msr_result result;

    if (!store->model.profile.present) {
        return false;
    }
    result = write_register(store, (uint32_t)env->regs[R_ECX], value);
    if (result == DS_MSR_FAULT) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, return_address);
    }
    return result == DS_MSR_DONE;
}
