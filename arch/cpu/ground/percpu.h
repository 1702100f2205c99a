/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All state of one logical processor (ISR-4, F3.36). Code elsewhere may not assume that there is
 * only one processor.
 *
 * GS base points to this structure from percpu_init() on, in ring 3 too. SWAPGS is never used, so
 * an NMI always finds the right base. Our ring 3 code does not load GS, cannot use WRGSBASE
 * (CR4.FSGSBASE is clear) and cannot access this page. Offsets in capitals are for assembly.
 */
#ifndef ARCH_CPU_GROUND_PERCPU_H
#define ARCH_CPU_GROUND_PERCPU_H

#define CPU_SELF          0
#define CPU_KERNEL_RSP    8
#define CPU_USER_RSP      16
#define CPU_EXECUTE_PROBE 24
#define CPU_VIEW          32

/* Size of cpus[]: how many processors one image of the kernel can use, processor 0 included. Any
 * further processor can only run a private image (arch/cpu/memory/private_image.h). */
#define PROCESSORS_MAX 4

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

struct descriptor_tables; /* arch/cpu/traps/descriptors.h */
struct trace_state;       /* arch/trace: this processor's DS save area, buffers, PMI bookkeeping */
struct trap_frame;        /* arch/cpu/traps/trap_frame.h */

struct cpu {
    struct cpu *self;
    uint64_t kernel_rsp;    /* RSP of the waiting user_run(); 0 while ring 3 does not run */
    uint64_t user_rsp;      /* scratch of the SYSCALL entry */
    uint64_t execute_probe; /* RSP at the entry of the code that probe_execute() calls; 0: none */
    uint32_t view;          /* index set by features_view() */
    uint32_t index;         /* 0 for the processor that booted */
    uint32_t apic_id;
    volatile uint32_t nap_ticks; /* APIC timer ticks of its watchdog_nap(); 0: it takes none */
    bool visits_x2apic;          /* its local APIC is in another mode than the others' */
    struct descriptor_tables *tables;
    struct trace_state *trace;
    /* If not NULL, it is called before the function that interrupt_set_fallback() has set. */
    void (*fallback)(struct trap_frame *frame);
    uint64_t interrupt_counts[256]; /* interrupt_count() of each vector */
};

extern struct cpu cpus[PROCESSORS_MAX];

/* Makes the structure with this index the running processor's own. */
void percpu_init(uint32_t index);

struct cpu *this_cpu(void);

#endif
#endif
