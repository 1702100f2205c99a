// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A near branch, in front of its report: the fast path (model/fast.h) where nothing stands against
 * it. Memory is looked up in the emulator's own TLB, as translated code does it: an entry without
 * flags is RAM that may be written and of which nothing depends, neither translated code nor a log
 * of dirty pages nor a breakpoint. Whatever moves memory, or makes it depend, changes the entry.
 */
#include "qemu/osdep.h"
#include "state.h"
#include "exec/helper-proto.h"
#include "exec/target_page.h"
#include "exec/tlb-common.h"
#if __has_include("exec/icount.h") /* since QEMU 10.1 */
#include "exec/icount.h"
#else
#include "system/cpu-timers.h"
#endif
#include "qemu/seqlock.h"
#include "qemu/timer.h"
#include "system/cpu-timers-internal.h"
#include "tcg/helper-tcg.h"
#include "tcg/seg_helper.h"

/* What the emulator knows of the processor and the settled depends on: mode, ring, the rights of
 * the supervisor; under TF the long way remembers the branch. */
#define KEY_HFLAGS (HF_LMA_MASK | HF_CS64_MASK | HF_CPL_MASK | HF_SMAP_MASK)
#define KEY_EFLAGS (TF_MASK | AC_MASK)

/* A key is never 0, which means no key: ring 0 of protected mode has none of those bits. */
#define KEY_IS_SET (1u << 31)

QEMU_BUILD_BUG_ON((KEY_HFLAGS & KEY_EFLAGS) != 0 || ((KEY_HFLAGS | KEY_EFLAGS) & KEY_IS_SET) != 0);

static inline uint32_t key_of(const CPUX86State *env)
{
    return KEY_IS_SET | (env->hflags & KEY_HFLAGS) | (env->eflags & KEY_EFLAGS);
}

static inline CPUTLBDescFast *supervisors_tlb(DebugStore *store)
{
#if QEMU_VERSION_MAJOR > 10 || (QEMU_VERSION_MAJOR == 10 && QEMU_VERSION_MINOR >= 2)
    return cpu_tlb_fast(CPU(&store->cpu->parent_obj), store->fast_mmu_index);
#else
    return &store->cpu->parent_obj.neg.tlb.f[store->fast_mmu_index];
#endif
}

/* Compared with the page of the last byte: a range that goes on in the next page is not found. */
static inline uint8_t *find(void *opaque, uint64_t linear, size_t size)
{
    CPUTLBDescFast *tlb = supervisors_tlb(opaque);
    uintptr_t offset = (linear >> (TARGET_PAGE_BITS - CPU_TLB_ENTRY_BITS)) & tlb->mask;
    CPUTLBEntry *entry = (CPUTLBEntry *)((uintptr_t)tlb->table + offset);

    if (qatomic_read(&entry->addr_write) != ((linear + size - 1) & TARGET_PAGE_MASK)) {
        return NULL;
    }
    return (uint8_t *)(uintptr_t)(linear + entry->addend);
}

/* The value of cpu_get_tsc() and RDTSC, read without the lock. */
static inline uint64_t tsc(void *opaque)
{
    DebugStore *store = opaque;

    return cpu_get_host_ticks() + qatomic_read(&timers_state.cpu_ticks_offset) +
           store->cpu->env.tsc_offset;
}

void debug_store_unsettle(DebugStore *store)
{
    store->fast_key = 0;
}

/* Under -icount the time may not be read in the middle of a block. */
static void settle(DebugStore *store, uint32_t key)
{
    uint32_t needed = HF_LMA_MASK | HF_CS64_MASK;

    store->fast_key = key;
    store->fast.usable = false;
    if (!store->slow && (key & needed) == needed && !(key & TF_MASK) && !icount_enabled()) {
        debug_store_before_event(store);
        ds_fast_settle(&store->model, key & HF_CPL_MASK, &store->fast);
        store->fast_mmu_index = cpu_mmu_index_kernel(&store->cpu->env);
    }
}

void helper_debug_store_branch(CPUX86State *env, target_ulong from, target_ulong to, uint32_t kind,
                               uint32_t length)
{
    DebugStore *store = debug_store_of(env);
    struct ds_branch branch = {.from = from, .to = to, .kind = kind};
    uint32_t key = key_of(env);

    if (unlikely(key != store->fast_key)) {
        settle(store, key);
    }
    if (!store->fast.usable ||
        !ds_fast_branch(&store->model, &store->fast, &branch, find, tsc, store)) {
        debug_store_near_branch(env, from, to, kind, length);
    }
}
