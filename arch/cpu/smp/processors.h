/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The other processors of the machine (F10.30 to F10.37): found in the MADT, called once to see
 * which of them come, started when a test needs one, given functions to run, and sent back to where
 * INIT leaves them: waiting for a start-up message. On a real board they go on from there, to stand
 * still where an SMI reaches them (F10.13). None runs unless started, and none is left running by
 * whoever started it.
 *
 * Processors are numbered from 0, the one that booted, on; the nearest to it by APIC id comes next,
 * so that a processor with two threads a core has its sibling as number 1, and the last of a
 * machine that has more than we use is the farthest. A hybrid one has the first of each other kind
 * of core among them, as far as there is room. Only processor 0 may call anything here. Every
 * wait is bounded; what went wrong is a text.
 */
#ifndef ARCH_CPU_SMP_PROCESSORS_H
#define ARCH_CPU_SMP_PROCESSORS_H

/* Low memory, in bytes from where a processor starts. Usable from assembly. */
#define LOW_CODE      0x1000 /* what runs in real-address mode before anything else */
#define LOW_STACK_TOP 0x3000
#define LOW_DATA      0x3000 /* for that code and whoever gave it */
#define LOW_PARK      0x4000 /* a page of its own for those that stand still: boot/ap_park.S */
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
 * Does the MADT list one with an APIC id that only x2APIC mode can address? False where it cannot
 * be read. Needs paging_init().
 */
bool processors_need_x2apic(void);

/*
 * Finds the processors and the memory to start them from, and sets FEATURE_SECOND_PROCESSOR; sends
 * nothing. forbidden: why no other processor may be started, or NULL. Needs apic_init().
 */
void processors_init(uint64_t tsc_per_microsecond, const char *forbidden);

/* What passes about so many microseconds, or fewer, with nothing to do: until then it spins. */
void processors_rest_by(void (*rest)(uint64_t microseconds));

/*
 * Starts each that is to be used, once, and sends it back. In the place of one that does
 * not come the next one is called; those that came are the ones with numbers, and
 * FEATURE_SECOND_PROCESSOR says whether there are any. Those are started once more and probe what
 * they have themselves (F24.8), by probe. Some seconds at most.
 */
void processors_call(void (*probe)(void));

/* How many of those that came have a TSC that is apart from ours, a millisecond or more (F14.17);
 * which one the most, and by how many ticks. */
unsigned processors_tsc_apart(uint32_t *apic_id, int64_t *ahead);

/* Why that one could not probe what it has, or NULL. It is taken to have nothing. */
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
    uint32_t errors;   /* what the local APIC says of the messages to it, its error status */
    bool has_exception;
    struct processor_exception exception; /* that it met on its way */
};

/* How many did not come, and the first of them. */
#define PROCESSORS_ABSENT_KEPT 8u
unsigned processors_absent(const struct processor_call **first);

/* More could have been called, but those that did not come had taken all the time. */
bool processors_call_ended_early(void);

/*
 * Sends one of those that are found, and not started, from INIT into a world of its own (world.h):
 * to C on the stack of that world's processor 0, with interrupts off and nothing set up. NULL: it
 * has begun; or why not. The argument lies in shared memory, by which it is to say that it has come
 * before the next one is sent off. Ended by processor_call_back(), wherever it is then.
 */
const char *processor_send_off(uint32_t apic_id, uint64_t world, void (*main)(void *argument),
                               void *argument);
void processor_call_back(uint32_t apic_id);

/* How many ticks the TSC of the one that came last, one way or the other, is ahead of ours
 * (tsc_rate.h). */
int64_t processor_tsc_ahead(void);

/* Those, by number from 0; UINT32_MAX past the last. All but the running one. */
uint32_t processor_found(unsigned number);

/*
 * Of the processor that has come to a world: it has the number 0, and is alone. Brings its local
 * APIC to the mode of the others. NULL, or why it is of no use.
 */
const char *processor_be_alone(uint32_t apic_id);

/* How many can be used, processor 0 included: 1 to PROCESSORS_MAX. */
unsigned processor_count(void);

/* How many the MADT lists, the running one always among them, and how many of these the local
 * APIC's mode cannot address. */
unsigned processors_listed(void);
unsigned processors_out_of_reach(void);
uint32_t processor_apic_id(unsigned index);

/* Why none of the others was called, or NULL. */
const char *processors_missing(void);

/*
 * 16-bit code that a processor calls before it executes anything else of note, from LOW_CODE with
 * CS = DS = ES = SS = its start page, and which ends by a near RET. It does not depend on where it
 * lies. LOW_DATA, up to LOW_PARK, belongs to it.
 */
struct real_mode_code {
    const void *start;
    size_t size; /* at most LOW_STACK_TOP - LOW_CODE, less what its stack takes */
};

/* Where the low memory is: as the processor in real-address mode has it, and as we see it. */
uint32_t processor_low_address(void);
void *processor_low_memory(void);

/*
 * INIT and start-up, whatever the processor was doing, to 64-bit C with its own stack, tables,
 * local APIC and per-CPU structure; it then waits for work. first may be NULL. NULL, or why not.
 */
const char *processor_start(unsigned index, const struct real_mode_code *first);

/*
 * Starts each that the MADT lists and the mode can address, those without a number too, one after
 * another, and counts them with the one that booted; not those that did not come before, and no
 * more when too much time is lost with others. None may be started before, none is after.
 */
struct roll_call {
    unsigned called, came;
    struct processor_call absent; /* the first that did not come; wrong is NULL where all did */
};
struct roll_call processors_call_roll(void);

/* INIT, whatever it was doing; and on a real board on to where it stands still. */
void processor_stop(unsigned index);
bool processor_is_started(unsigned index);

/*
 * Gives a started processor that waits for work a function to run with interrupts on. NULL, or why
 * not.
 */
typedef void (*processor_function)(void *argument);
const char *processor_begin(unsigned index, processor_function function, void *argument);

/* It has not come to the end of its work yet. */
bool processor_is_working(unsigned index);

/* Waits for its end. NULL, or why it did not come: it takes too long, or met an exception. */
const char *processor_wait(unsigned index, uint64_t microseconds);

/* The unexpected exception of that processor, or NULL; it stands still since then. */
const struct processor_exception *processor_exception(unsigned index);

#endif
#endif
