// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model's actions: linear memory with supervisor rights, physical memory, and the PMI.
 *
 * Memory goes through a probe that cannot fault and then through the host's own pointer, so that
 * neither a page fault nor the guest's data breakpoints can leave the model half-way (F12.29).
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "state.h"
#include "exec/cpu-common.h"
#include "exec/target_page.h"
#if __has_include("system/memory.h") /* since QEMU 10.1 */
#include "system/memory.h"
#else
#include "exec/memory.h"
#endif
#if __has_include("accel/tcg/probe.h") /* since QEMU 10.1 */
#include "accel/tcg/probe.h"
#include "exec/tlb-flags.h"
#else
#include "exec/exec-all.h"
#endif
#include "tcg/helper-tcg.h"
#include "tcg/seg_helper.h"
#include "apic.h"

/*
 * The host's address of size bytes at linear, all in one page, or NULL where there is no RAM that
 * the supervisor may use so.
 */
static void *host_pointer(CPUX86State *env, target_ulong linear, size_t size, MMUAccessType access)
{
    int supervisor = cpu_mmu_index_kernel(env);
    void *pointer = NULL;
    int flags = probe_access_flags(env, linear, size, access, supervisor, true, &pointer, 0);

    return flags & (TLB_INVALID_MASK | TLB_MMIO) ? NULL : pointer;
}

/* Bytes of [linear, linear + size) that lie in the first page. */
static size_t in_first_page(target_ulong linear, size_t size)
{
    return MIN(size, TARGET_PAGE_SIZE - (linear & ~TARGET_PAGE_MASK));
}

/* Finds both pages of a range before either is touched: all of the bytes move or none. */
static bool host_pointers(DebugStore *store, uint64_t linear, size_t size, MMUAccessType access,
                          void *pointers[2])
{
    CPUX86State *env = &store->cpu->env;
    size_t first = in_first_page(linear, size);
    target_ulong second = linear + first;

    if (!(env->hflags & HF_LMA_MASK)) {
        linear = (uint32_t)linear;
        second = (uint32_t)second;
    }
    if (size - first > TARGET_PAGE_SIZE) {
        return false;
    }
    pointers[0] = host_pointer(env, linear, first, access);
    pointers[1] = first < size ? host_pointer(env, second, size - first, access) : NULL;
    return pointers[0] && (first == size || pointers[1]);
}

static bool read_linear(void *opaque, uint64_t linear, void *data, size_t size)
{
    size_t first = in_first_page(linear, size);
    void *pointers[2];

    if (!host_pointers(opaque, linear, size, MMU_DATA_LOAD, pointers)) {
        return false;
    }
    memcpy(data, pointers[0], first);
    if (first < size) {
        memcpy((char *)data + first, pointers[1], size - first);
    }
    return true;
}

static bool write_linear(void *opaque, uint64_t linear, const void *data, size_t size)
{
    size_t first = in_first_page(linear, size);
    void *pointers[2];

    if (!host_pointers(opaque, linear, size, MMU_DATA_STORE, pointers)) {
        return false;
    }
    memcpy(pointers[0], data, first);
    if (first < size) {
        memcpy(pointers[1], (const char *)data + first, size - first);
    }
    return true;
}

/* RAM as another agent would write it; what lies in no RAM is lost. */
static bool write_physical(void *opaque, uint64_t physical, const void *data, size_t size)
{
    CPUState *cs = CPU(((DebugStore *)opaque)->cpu);

    return address_space_write(cs->as, physical, MEMTXATTRS_UNSPECIFIED, data, size) == MEMTX_OK;
}

/*
 * Under -icount time may be read and interrupts may be raised only where the emulator knows how
 * many instructions have run: at the end of a block. All of the model's events are there, or in a
 * block of one instruction; but the block was not translated as one that does so.
 */
static bool begin_input_output(void)
{
    bool before = current_cpu && current_cpu->neg.can_do_io;

    if (current_cpu) {
        current_cpu->neg.can_do_io = 1;
    }
    return before;
}

static void end_input_output(bool before)
{
    if (current_cpu) {
        current_cpu->neg.can_do_io = before;
    }
}

static void deliver_pmi(X86CPU *cpu)
{
    bool before = begin_input_output();

    debug_store_deliver_pmi(cpu);
    end_input_output(before);
}

/* The request makes a processor leave its chain of translated blocks before the next one. */
static void raise_pmi_of(X86CPU *cpu)
{
    bool locked = bql_locked();

    if (!cpu->apic_state) {
        return;
    }
    if (!locked) {
        bql_lock();
    }
    deliver_pmi(cpu);
    if (!locked) {
        bql_unlock();
    }
}

void debug_store_pmi_delivered(X86CPU *cpu, uint8_t vector)
{
    cpu->debug_store->pmi_vector = vector;
}

bool debug_store_pmi_moves(X86CPU *cpu, uint8_t *vector)
{
    *vector = cpu->debug_store->pmi_vector;
    return ds_redirects_pmi(&cpu->debug_store->model);
}

static void raise_pmi(void *opaque)
{
    DebugStore *store = opaque;

    store->pmi_requested = true;
    raise_pmi_of(store->cpu);
}

static bool pmi_is_nmi(void *opaque)
{
    X86CPU *cpu = ((DebugStore *)opaque)->cpu;

    return cpu->apic_state && debug_store_pmi_is_nmi(cpu);
}

static void raise_neighbours_pmi(void *opaque)
{
    DebugStore *store = opaque;
    CPUState *next = CPU_NEXT(CPU(store->cpu));

    raise_pmi_of(X86_CPU(next ? next : first_cpu));
}

static void uncore_written(void *opaque, uint64_t value)
{
    warn_report("processor %d writes MSR 391H of the uncore: 0x%" PRIx64,
                CPU(((DebugStore *)opaque)->cpu)->cpu_index, value);
}

static void hang(void *opaque)
{
    ((DebugStore *)opaque)->hangs = true;
}

static void read_registers(void *opaque, struct ds_registers *registers)
{
    CPUX86State *env = &((DebugStore *)opaque)->cpu->env;

    registers->rflags = cpu_compute_eflags(env);
    for (int i = 0; i < 16; i++) {
        registers->general[i] = env->regs[i];
        registers->xmm[i][0] = env->xmm_regs[i].ZMM_Q(0);
        registers->xmm[i][1] = env->xmm_regs[i].ZMM_Q(1);
        registers->ymm_high[i][0] = env->xmm_regs[i].ZMM_Q(2);
        registers->ymm_high[i][1] = env->xmm_regs[i].ZMM_Q(3);
    }
}

static uint64_t read_tsc(void *opaque)
{
    CPUX86State *env = &((DebugStore *)opaque)->cpu->env;
    bool before = begin_input_output();
    uint64_t ticks = cpu_get_tsc(env);

    end_input_output(before);
    return ticks + env->tsc_offset;
}

void debug_store_set_host(DebugStore *store)
{
    store->host = (struct ds_host){
        .read = read_linear,
        .write = write_linear,
        .write_physical = write_physical,
        .raise_pmi = raise_pmi,
        .raise_neighbours_pmi = raise_neighbours_pmi,
        .registers = read_registers,
        .tsc = read_tsc,
        .pmi_is_nmi = pmi_is_nmi,
        .uncore_written = uncore_written,
        .hang = hang,
        .opaque = store,
    };
}
