// SPDX-License-Identifier: GPL-2.0-or-later
/* Registers that have nothing to do with tracing, and that the emulator does otherwise than boards.
 */
#include "qemu/osdep.h"
#include "state.h"
#include "tcg/helper-tcg.h"

#define IA32_XAPIC_DISABLE_STATUS 0xbd
#define LEGACY_XAPIC_DISABLED     1

#define ARCH_CAPABILITIES_XAPIC_DISABLE (1u << 21) /* the register above exists */

bool board_is_nehalem_or_later(const DebugStore *store)
{
    static const uint8_t older[] = {0x1c, 0x1d, 0x26, 0x27, 0x35, 0x36}; /* Bonnell, Core */
    uint8_t model = store->model.profile.model;

    return model >= 0x1a && !memchr(older, model, sizeof(older));
}

/* While it is locked there is no other mode than x2APIC mode (F24.12). */
static bool leaves_x2apic(uint64_t base)
{
    return ~base & (MSR_IA32_APICBASE_ENABLE | MSR_IA32_APICBASE_EXTD);
}

static enum ds_msr_result read_register(const DebugStore *store, uint32_t msr, uint64_t *value)
{
    switch (msr) {
    case MSR_SMI_COUNT: /* since Nehalem: F10.7 */
        *value = (uint32_t)store->cpu->env.msr_smi_count;
        return board_is_nehalem_or_later(store) ? DS_MSR_DONE : DS_MSR_FAULT;
    case MSR_IA32_ARCH_CAPABILITIES:
        *value = ARCH_CAPABILITIES_XAPIC_DISABLE;
        return store->board.x2apic_locked ? DS_MSR_DONE : DS_MSR_NOT_MINE;
    case IA32_XAPIC_DISABLE_STATUS:
        *value = board_handed_over() ? LEGACY_XAPIC_DISABLED : 0;
        return store->board.x2apic_locked ? DS_MSR_DONE : DS_MSR_FAULT;
    default:
        return board_read_power(store, msr, value);
    }
}

static enum ds_msr_result write_register(DebugStore *store, uint32_t msr, uint64_t value)
{
    bool locked = store->board.x2apic_locked;

    switch (msr) {
    case MSR_SMI_COUNT:
    case IA32_XAPIC_DISABLE_STATUS:
        return DS_MSR_FAULT; /* read-only, or not there */
    case MSR_IA32_ARCH_CAPABILITIES:
        return locked ? DS_MSR_FAULT : DS_MSR_NOT_MINE;
    case MSR_IA32_APICBASE:
        return locked && board_handed_over() && leaves_x2apic(value) ? DS_MSR_FAULT
                                                                     : DS_MSR_NOT_MINE;
    default:
        return board_write_power(store, msr, value);
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
