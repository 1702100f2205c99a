/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's other processors (F10.30 to F10.37). They are found in the MADT, called once to see
 * which of them start, started when a test needs one, given functions to run, and sent back by INIT
 * to wait for a start-up message. On a real board they are then parked in code where an SMI reaches
 * them (F10.13). Whoever starts a processor stops it.
 *
 * Processor 0 is the one that booted. The nearest by APIC id follow, so that number 1 is the other
 * thread of a core with two; if the machine has more than we use, the last is the farthest. A
 * hybrid machine's numbers include the first of each other kind of core, as far as there is room.
 * Only processor 0 may call these functions. Every wait is bounded; errors are texts.
 */
#ifndef ARCH_CPU_SMP_PROCESSORS_H
#define ARCH_CPU_SMP_PROCESSORS_H

/* Layout of low memory: byte offsets from a processor's start address. Usable from assembly. */
#define LOW_CODE      0x1000 /* code that runs first, in real-address mode */
#define LOW_STACK_TOP 0x3000
#define LOW_DATA      0x3000 /* for that code and its provider */
#define LOW_PARK      0x4000 /* a page for parked processors: boot/ap_trampoline.S */
#define LOW_PARK_SIZE 0x1000
#define LOW_SIZE      0x5000

/* Offsets in struct processor_entering. */
#define ENTERING_ROOT     0
#define ENTERING_EFER     8
#define ENTERING_STACK    16
#define ENTERING_MAIN     24
#define ENTERING_ARGUMENT 32
#define ENTERING_TSC      40

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/percpu.h"

/*
 * Does the MADT list an APIC id that only x2APIC mode can address? False if the MADT cannot be
 * read. Needs paging_init().
 */
bool processors_need_x2apic(void);

/*
 * Finds the processors and the memory to start them from, and sets FEATURE_SECOND_PROCESSOR; sends
 * no message. forbidden: why no other processor may be started, or NULL. Needs apic_init().
 */
void processors_init(uint64_t tsc_per_microsecond, const char *forbidden);

/* Sets the function by which long waits idle, for at most so many microseconds a call. Until then
 * they spin. */
void processors_rest_by(void (*rest)(uint64_t microseconds));

/*
 * Starts each processor that is to be used once, and sends it back. If a processor does not start,
 * the next is called instead. Those that started get numbers, and FEATURE_SECOND_PROCESSOR says
 * whether there are any. They are started again to run probe(), which probes their features
 * (F24.8). Takes some seconds at most.
 */
void processors_call(void (*probe)(void));

/* Number of started processors whose TSC differs from ours by a millisecond or more (F14.17);
 * *apic_id and *ahead (ticks) are of the largest difference. */
unsigned processors_tsc_apart(uint32_t *apic_id, int64_t *ahead);

/* Why this processor could not probe its features, or NULL. It then counts as having none. */
const char *processor_unprobed(unsigned index);

struct processor_exception {
    struct trap_frame frame;
    uint64_t cr2;
};

/* A processor that was called. */
struct processor_call {
    uint32_t apic_id;
    const char *wrong; /* why it did not start, or NULL */
    uint64_t kind;     /* CPUID.1AH:EAX, type and native model of its core, and CPUID.01H:EAX */
    int64_t tsc_ahead; /* processor_tsc_ahead() */
    uint32_t errors;   /* error status of our local APIC after our messages */
    bool has_exception;
    struct processor_exception exception; /* if has_exception: what it met while it started */
};

/* Number of processors that did not start. *first: an array of them, of which only the first
 * PROCESSORS_ABSENT_KEPT are kept. */
#define PROCESSORS_ABSENT_KEPT 8u
unsigned processors_absent(const struct processor_call **first);

/* Did processors that do not start use up the time for calling others? */
bool processors_call_ended_early(void);

/*
 * Starts a found processor, which must not run, with a private image (private_image.h). It begins
 * in main() on the stack of that image's processor 0, with interrupts off and nothing set up.
 * Returns NULL once it has begun, or the reason it did not. `argument` lies in shared memory, where
 * the processor must report its arrival before the next one is sent. processor_call_back() sends it
 * back to INIT, whatever it is doing.
 */
const char *processor_send_off(uint32_t apic_id, uint64_t image, void (*main)(void *argument),
                               void *argument);
void processor_call_back(uint32_t apic_id);

/* Ticks by which the TSC of the processor that started last is ahead of ours (tsc_rate.h). */
int64_t processor_tsc_ahead(void);

/* APIC id of found processor `number`, from 0; UINT32_MAX past the last. The running processor is
 * not among them. */
uint32_t processor_found(unsigned number);

/*
 * Called by a processor in its private image: makes it number 0, without others, and brings its
 * local APIC to the mode of the others. Returns NULL, or why it cannot be used.
 */
const char *processor_be_alone(uint32_t apic_id);

/* Number of usable processors, processor 0 included: 1 to PROCESSORS_MAX. */
unsigned processor_count(void);

/* Number of processors that the MADT lists, the running one always included, and how many of them
 * the local APIC's mode cannot address. */
unsigned processors_listed(void);
unsigned processors_out_of_reach(void);
uint32_t processor_apic_id(unsigned index); /* UINT32_MAX if there is no such processor */

/* Why no other processor can be called, or NULL. */
const char *processors_missing(void);

/*
 * Position-independent 16-bit code that a processor calls first, at LOW_CODE with CS = DS = ES = SS
 * = its start page. It ends with a near RET, and owns LOW_DATA up to LOW_PARK.
 */
struct real_mode_code {
    const void *start;
    size_t size; /* at most LOW_STACK_TOP - LOW_CODE, less what its stack takes */
};

/* Physical address of the low memory, and where it is mapped. */
uint32_t processor_low_address(void);
void *processor_low_memory(void);

/*
 * Sends INIT and start-up, whatever the processor is doing. It first runs *first, unless `first` is
 * NULL. Then it arrives in 64-bit C with its own stack, tables, local APIC and per-CPU structure,
 * and waits for work. Returns NULL, or the reason it failed.
 */
const char *processor_start(unsigned index, const struct real_mode_code *first);

/*
 * Starts every processor that the MADT lists and the mode can address, with or without a number,
 * one after another, except those that did not start before. Ends when too much time is lost. No
 * other processor may run before, and none does afterwards.
 */
struct roll_call {
    unsigned called, came;        /* called: without the one that booted; came: with it */
    struct processor_call absent; /* the first that did not come; wrong is NULL if all came */
};
struct roll_call processors_call_roll(void);

/* Sends INIT to a started processor, whatever it is doing, and parks it on a real board. */
void processor_stop(unsigned index);
bool processor_is_started(unsigned index);

/*
 * Has a started processor that waits for work run the function with interrupts on. Returns NULL, or
 * the reason it failed.
 */
typedef void (*processor_function)(void *argument);
const char *processor_begin(unsigned index, processor_function function, void *argument);

/* Does the processor still work on what processor_begin() gave it? */
bool processor_is_working(unsigned index);

/* Waits for the end of that work. Returns NULL, or why it did not end: time-out or an exception. */
const char *processor_wait(unsigned index, uint64_t microseconds);

/* The unexpected exception that halted this processor, or NULL. */
const struct processor_exception *processor_exception(unsigned index);

#endif
#endif
