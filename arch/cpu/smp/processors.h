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
 * Does the MADT list an APIC id that only x2APIC mode can address? False if it cannot be read.
 * Needs paging_init().
 */
bool processors_need_x2apic(void);

/*
 * Finds the processors and the memory to start them from, and sets FEATURE_SECOND_PROCESSOR; sends
 * no message. forbidden: why no other processor may be started, or NULL. Needs apic_init().
 */
void processors_init(uint64_t tsc_per_microsecond, const char *forbidden);

/* Sets the function that idles for at most so many microseconds; before, waits spin. */
void processors_rest_by(void (*rest)(uint64_t microseconds));

/*
 * Starts each processor to be used once and sends it back. If one does not start, the next is
 * called instead. Those that started get numbers, and FEATURE_SECOND_PROCESSOR says whether there
 * are any. They are started again to run probe, which probes their features (F24.8). Takes some
 * seconds at most.
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

/* One that was called. */
struct processor_call {
    uint32_t apic_id;
    const char *wrong; /* NULL: it came */
    uint64_t kind;     /* CPUID.1AH:EAX, type and native model of its core, and CPUID.01H:EAX */
    int64_t tsc_ahead; /* processor_tsc_ahead() */
    uint32_t errors;   /* error status of our local APIC after the messages to it */
    bool has_exception;
    struct processor_exception exception; /* if has_exception: met on its way */
};

/* Number of processors that did not start; *first points to the first of them. */
#define PROCESSORS_ABSENT_KEPT 8u
unsigned processors_absent(const struct processor_call **first);

/* Did processors that do not start use up the time for calling others? */
bool processors_call_ended_early(void);

/*
 * Sends a processor that is found and not started from INIT into its private image
 * (private_image.h): to main on the stack of that image's processor 0, with interrupts off and
 * nothing set up. Returns NULL once it has begun, or the reason. argument lies in shared memory,
 * where the processor reports its arrival before the next is sent. processor_call_back() ends it
 * anywhere.
 */
const char *processor_send_off(uint32_t apic_id, uint64_t image, void (*main)(void *argument),
                               void *argument);
void processor_call_back(uint32_t apic_id);

/* Ticks by which the TSC of the processor that started last is ahead of ours (tsc_rate.h). */
int64_t processor_tsc_ahead(void);

/* APIC id of the found processor with this number, from 0; UINT32_MAX past the last. Excludes the
 * running one. */
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
uint32_t processor_apic_id(unsigned index);

/* Why none of the others was called, or NULL. */
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
 * Sends INIT and start-up, whatever the processor is doing. It arrives in 64-bit C with its own
 * stack, tables, local APIC and per-CPU structure, and waits for work. first may be NULL. Returns
 * NULL, or the reason it failed.
 */
const char *processor_start(unsigned index, const struct real_mode_code *first);

/*
 * Starts every processor that the MADT lists and the mode can address, with or without a number,
 * one after another, and counts them with the one that booted. Skips those that did not start
 * before, and ends when too much time is lost. No other processor may run before, and none does
 * afterwards.
 */
struct roll_call {
    unsigned called, came;
    struct processor_call absent; /* the first that did not come; wrong is NULL where all did */
};
struct roll_call processors_call_roll(void);

/* Sends INIT, whatever the processor is doing, and parks it on a real board. */
void processor_stop(unsigned index);
bool processor_is_started(unsigned index);

/*
 * Has a started processor that waits for work run the function with interrupts on. Returns NULL, or
 * the reason it failed.
 */
typedef void (*processor_function)(void *argument);
const char *processor_begin(unsigned index, processor_function function, void *argument);

/* Is it still working? */
bool processor_is_working(unsigned index);

/* Waits for the end of its work. Returns NULL, or the reason: time-out or an exception. */
const char *processor_wait(unsigned index, uint64_t microseconds);

/* The unexpected exception that halted this processor, or NULL. */
const struct processor_exception *processor_exception(unsigned index);

#endif
#endif
