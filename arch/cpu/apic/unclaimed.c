/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/unclaimed.h"
#include <stddef.h>
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/apic/device_interrupts.h"

#define NMI_REASON_PORT 0x61u

static struct unclaimed all[256];
static uint32_t count, disturbances, suspicions;
static void (*watcher)(struct trap_frame *frame);

/* A spurious interrupt of the local APIC sets no ISR bit and needs no EOI (F11.6). */
static bool was_delivered(uint8_t vector)
{
    return apic_mode() != APIC_MODE_ABSENT && apic_in_service(vector);
}

static void end(uint8_t vector)
{
    if (vector == VECTOR_NMI)
        return;
    if (was_delivered(vector))
        apic_eoi();
    else
        pic_end(vector);
}

/*
 * A performance interrupt masks its entry when it is delivered (F5.12). If the entry is masked, not
 * by us, and its vector has no interrupt, the processor delivered this one wrongly; it is no
 * outside disturbance.
 */
static bool is_performance_interrupt(void)
{
    return apic_mode() != APIC_MODE_ABSENT && apic_pmi_went_astray();
}

static void note(const struct trap_frame *frame, bool is_performance)
{
    struct unclaimed *one = &all[frame->vector];
    bool is_first = __atomic_fetch_add(&one->count, 1, __ATOMIC_RELAXED) == 0;

    if (is_first) {
        one->rip = frame->rip;
        one->ring = (unsigned)frame->cs & 3;
        one->processor = this_cpu()->index;
        one->is_performance_only = true;
    }
    if (frame->vector == VECTOR_NMI)
        one->reason |= insn_in8(NMI_REASON_PORT) & (NMI_REASON_SERR | NMI_REASON_IOCHK);
    one->is_performance_only &= is_performance;
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    if (!is_performance)
        __atomic_fetch_add(&disturbances, 1, __ATOMIC_RELAXED);
}

void unclaimed_take(struct trap_frame *frame)
{
    uint8_t vector = (uint8_t)frame->vector;

    if (vector == VECTOR_SPURIOUS && !was_delivered(vector))
        return;
    note(frame, is_performance_interrupt());
    end(vector);
    if (watcher != NULL)
        watcher(frame);
}

const struct unclaimed *unclaimed_of(uint8_t vector)
{
    return &all[vector];
}

uint32_t unclaimed_count(void)
{
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

uint32_t unclaimed_disturbances(void)
{
    return __atomic_load_n(&disturbances, __ATOMIC_RELAXED);
}

bool unclaimed_come_at(uint8_t vector)
{
    return all[vector].count && !all[vector].is_performance_only;
}

void unclaimed_suspect(uint8_t vector)
{
    __atomic_fetch_add(unclaimed_come_at(vector) ? &disturbances : &suspicions, 1,
                       __ATOMIC_RELAXED);
}

uint32_t unclaimed_suspicions(void)
{
    return __atomic_load_n(&suspicions, __ATOMIC_RELAXED);
}

void unclaimed_watch(void (*watch)(struct trap_frame *frame))
{
    watcher = watch;
}
