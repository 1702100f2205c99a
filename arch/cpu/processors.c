/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/processors.h"
#include "arch/cpu/acpi.h"
#include "arch/cpu/apic.h"
#include "arch/cpu/features.h"
#include "arch/cpu/frequency.h"
#include "arch/cpu/identity.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/low_memory.h"
#include "arch/cpu/paging.h"
#include "arch/cpu/processor_list.h"
#include "arch/cpu/stacks.h"
#include "arch/cpu/wait.h"
#include "arch/lib/printf.h"

#define INIT_MICROSECONDS     10000u /* from INIT to the first message: F10.34 */
#define STARTUP_MICROSECONDS  200u   /* until the second */
#define REST_MICROSECONDS     500u
#define ARRIVE_MICROSECONDS   1000000u
#define BRING_UP_MICROSECONDS 2000000u

enum state {
    STATE_OFF,  /* it does not work for us, and may be anywhere */
    STATE_INIT, /* it waits for a start-up message, long enough after INIT */
    STATE_STARTING,
    STATE_REFUSED, /* why says it */
    STATE_IDLE,
    STATE_RUNNING,
    STATE_BROKEN,
};

struct processor {
    uint32_t apic_id;
    enum state state; /* written by both sides: get_state(), set_state() */
    const char *why;
    processor_function function;
    void *argument;
    struct processor_exception exception;
};

extern const uint8_t ap_trampoline[], ap_trampoline_end[]; /* boot/ap_trampoline.S */
extern const uint8_t ap_trampoline_arrived[], ap_trampoline_has_first[];

struct cpu *processor_entering; /* for boot/ap_trampoline.S: who comes next */
void processor_main(struct cpu *cpu) __attribute__((noreturn)); /* called by it */

static struct processor processors[PROCESSORS_MAX];
static struct acpi_madt madt;
static unsigned count = 1, out_of_reach;
static uint32_t booted_kind; /* of core */
static const char *missing;  /* why there is no second one, where the MADT lists one */
static uint64_t ticks_per_microsecond = 1;
static struct low_memory low;

static enum state get_state(const struct processor *processor)
{
    return __atomic_load_n(&processor->state, __ATOMIC_ACQUIRE);
}

static void set_state(struct processor *processor, enum state state)
{
    __atomic_store_n(&processor->state, state, __ATOMIC_RELEASE);
}

static uint64_t deadline(uint64_t microseconds)
{
    return insn_rdtsc() + microseconds * ticks_per_microsecond;
}

static bool passed(uint64_t tsc)
{
    return (int64_t)(insn_rdtsc() - tsc) >= 0;
}

static void spin(uint64_t microseconds)
{
    (void)microseconds;
    insn_pause();
}

static void (*rest)(uint64_t microseconds) = spin;

void processors_rest_by(void (*wanted)(uint64_t microseconds))
{
    rest = wanted;
}

static void delay(uint64_t microseconds)
{
    uint64_t end = deadline(microseconds);
    while (!passed(end))
        rest(REST_MICROSECONDS);
}

/* ---- on the other processor ---- */

/* Its panic: processor 0 finds it here and tells it. */
static void keep_exception(struct trap_frame *frame)
{
    struct processor *self = &processors[this_cpu()->index];
    self->exception = (struct processor_exception){.frame = *frame, .cr2 = insn_read_cr2()};
    set_state(self, STATE_BROKEN);
    for (;;) {
        insn_cli();
        insn_hlt();
    }
}

static const char *join(const struct cpu *cpu)
{
    const char *wrong = apic_init_other();
    if (wrong != NULL)
        return wrong;
    if (cpu->apic_id != processors[cpu->index].apic_id)
        return "its APIC id is not the one that the MADT has";
    if (insn_cpuid(1, 0).eax != cpu_features.identity.signature)
        return "it is of another kind than the processor that booted: its CPUID.01H:EAX differs";
    if (identity_kind_of_core() != booted_kind)
        return "it is of another kind than the processor that booted: its CPUID.1AH:EAX[31:24] "
               "differs";
    frequency_hold();
    return NULL;
}

static void work(struct processor *self) __attribute__((noreturn));

static void work(struct processor *self)
{
    for (;;) {
        while (get_state(self) != STATE_RUNNING)
            insn_pause();
        insn_sti();
        self->function(self->argument);
        insn_cli();
        set_state(self, STATE_IDLE);
    }
}

void processor_main(struct cpu *cpu)
{
    struct processor *self = &processors[cpu->index];
    paging_load();
    interrupts_init(cpu->index);
    cpu->fallback = keep_exception;
    self->why = join(cpu);
    set_state(self, self->why == NULL ? STATE_IDLE : STATE_REFUSED);
    work(self);
}

/* ---- on processor 0 ---- */

static const char *read_madt(void)
{
    static bool was_read;
    static const char *wrong;
    if (!was_read)
        wrong = acpi_read_madt(&madt);
    if (wrong != NULL)
        madt.processor_count = 0;
    was_read = true;
    return wrong;
}

bool processors_need_x2apic(void)
{
    return read_madt() == NULL && processor_list_needs_x2apic(&madt);
}

static const char *find_others(void)
{
    const char *wrong = read_madt();
    if (wrong != NULL)
        return wrong;
    struct processor_list list = processor_list_make(&madt, cpus[0].apic_id, apic_mode());
    out_of_reach = list.out_of_reach;
    count = list.count;
    for (unsigned i = 0; i < count; i++)
        processors[i].apic_id = list.ids[i];
    if (count == 1 && out_of_reach > 0)
        return "the local APIC's mode can address none of the others";
    return NULL;
}

static const char *prepare(void)
{
    if (apic_mode() == APIC_MODE_ABSENT)
        return "there is no local APIC to start it with";
    const char *wrong = find_others();
    if (wrong != NULL || count == 1)
        return wrong;
    return low_memory_find(LOW_SIZE, &low) ? NULL
                                           : "no memory below 1 MiB is free to start it from";
}

void processors_init(uint64_t tsc_per_microsecond)
{
    ticks_per_microsecond = tsc_per_microsecond;
    booted_kind = identity_kind_of_core();
    missing = prepare();
    if (missing != NULL)
        count = 1;
    cpu_features.present[FEATURE_SECOND_PROCESSOR] = count > 1;
}

unsigned processor_count(void)
{
    return count;
}

unsigned processors_listed(void)
{
    return madt.processor_count;
}

unsigned processors_out_of_reach(void)
{
    return out_of_reach;
}

uint32_t processor_apic_id(unsigned index)
{
    return index < count ? processors[index].apic_id : UINT32_MAX;
}

static bool explain(enum feature feature, char *text, size_t size)
{
    if (feature != FEATURE_SECOND_PROCESSOR)
        return false;
    if (missing != NULL)
        format_string(text, size, "needs a second processor: %s", missing);
    else
        format_string(text, size, "needs a second processor: the MADT lists %u",
                      madt.processor_count);
    return true;
}

FEATURE_PROBER(second_processor, .explain = explain);

uint32_t processor_low_address(void)
{
    return low.physical;
}

void *processor_low_memory(void)
{
    return low.mapped;
}

static volatile uint8_t *in_copy(const uint8_t *place)
{
    return low.mapped + (place - ap_trampoline);
}

static void lay_out(unsigned index, const struct real_mode_code *first)
{
    __builtin_memcpy(low.mapped, ap_trampoline, (size_t)(ap_trampoline_end - ap_trampoline));
    if (first != NULL) {
        __builtin_memcpy(low.mapped + LOW_CODE, first->start, first->size);
        *in_copy(ap_trampoline_has_first) = 1;
    }
    cpus[index].index = index;
    cpus[index].entry_stack = stack_top(index, STACK_KERNEL);
    processor_entering = &cpus[index];
}

static bool arrives_within(uint64_t microseconds)
{
    struct wait wait = wait_begin(microseconds, ticks_per_microsecond);
    while (!*in_copy(ap_trampoline_arrived) && wait_goes_on(&wait))
        insn_pause();
    return *in_copy(ap_trampoline_arrived);
}

static const char *send_init(uint32_t id)
{
    return apic_send_init(id) ? NULL : "the INIT message did not leave the local APIC";
}

/*
 * To one that is in INIT. The second message is for hardware that missed the first; it is ignored
 * where it was heard.
 */
static const char *send_start(const struct processor *processor)
{
    uint8_t page = (uint8_t)(low.physical / PAGE_SIZE);
    if (!apic_send_startup(processor->apic_id, page))
        return "the start-up message did not leave the local APIC";
    if (arrives_within(STARTUP_MICROSECONDS))
        return NULL;
    apic_send_startup(processor->apic_id, page);
    return arrives_within(ARRIVE_MICROSECONDS) ? NULL
                                               : "it executed nothing after INIT and two start-up "
                                                 "messages";
}

static const char *await_work(struct processor *processor)
{
    struct wait wait = wait_begin(BRING_UP_MICROSECONDS, ticks_per_microsecond);
    while (get_state(processor) == STATE_STARTING && wait_goes_on(&wait))
        insn_pause();
    switch (get_state(processor)) {
    case STATE_IDLE:
        return NULL;
    case STATE_REFUSED:
        return processor->why;
    case STATE_BROKEN:
        return "it met an exception on its way to long mode";
    default:
        return "it started in real-address mode and did not get to long mode";
    }
}

static const char *start_from_init(unsigned index, const struct real_mode_code *first)
{
    struct processor *processor = &processors[index];
    lay_out(index, first);
    set_state(processor, STATE_STARTING);
    const char *wrong = send_start(processor);
    return wrong != NULL ? wrong : await_work(processor);
}

const char *processor_start(unsigned index, const struct real_mode_code *first)
{
    if (index == 0 || index >= count)
        return "there is no such processor";
    if (get_state(&processors[index]) == STATE_INIT)
        return start_from_init(index, first);
    const char *wrong = send_init(processors[index].apic_id);
    delay(INIT_MICROSECONDS);
    return wrong != NULL ? wrong : start_from_init(index, first);
}

static bool is_another(uint32_t id)
{
    return id != cpus[0].apic_id && apic_can_address(id);
}

/* All have the last number while they are up, and go back to INIT before the next comes. */
struct roll_call processors_call_roll(void)
{
    const unsigned index = PROCESSORS_MAX - 1;
    uint32_t usual_id = processors[index].apic_id;
    struct roll_call roll = {.came = 1};
    for (unsigned i = 0; i < madt.processor_count; i++)
        if (is_another(madt.processors[i]))
            apic_send_init(madt.processors[i]);
    delay(INIT_MICROSECONDS);
    for (unsigned i = 0; i < madt.processor_count && roll.wrong == NULL; i++) {
        if (!is_another(madt.processors[i]))
            continue;
        roll.apic_id = processors[index].apic_id = madt.processors[i];
        roll.wrong = start_from_init(index, NULL);
        apic_send_init(roll.apic_id);
        roll.came += roll.wrong == NULL;
    }
    delay(INIT_MICROSECONDS);
    set_state(&processors[index], STATE_OFF);
    processors[index].apic_id = usual_id;
    return roll;
}

void processor_stop(unsigned index)
{
    if (!processor_is_started(index))
        return;
    bool was_sent = apic_send_init(processors[index].apic_id);
    delay(INIT_MICROSECONDS);
    set_state(&processors[index], was_sent ? STATE_INIT : STATE_OFF);
}

bool processor_is_started(unsigned index)
{
    return index > 0 && index < count && get_state(&processors[index]) > STATE_INIT;
}

const char *processor_begin(unsigned index, processor_function function, void *argument)
{
    if (!processor_is_started(index) || get_state(&processors[index]) != STATE_IDLE)
        return "it does not wait for work";
    processors[index].function = function;
    processors[index].argument = argument;
    set_state(&processors[index], STATE_RUNNING);
    return NULL;
}

bool processor_is_working(unsigned index)
{
    return get_state(&processors[index]) == STATE_RUNNING;
}

const char *processor_wait(unsigned index, uint64_t microseconds)
{
    struct wait wait = wait_begin(microseconds, ticks_per_microsecond);
    while (get_state(&processors[index]) == STATE_RUNNING && wait_goes_on(&wait))
        insn_pause();
    switch (get_state(&processors[index])) {
    case STATE_IDLE:
        return NULL;
    case STATE_BROKEN:
        return "it met an exception that nobody expected";
    case STATE_RUNNING:
        return "it did not come to the end of its work in time";
    default:
        return "it was stopped";
    }
}

const struct processor_exception *processor_exception(unsigned index)
{
    bool broken = index < count && get_state(&processors[index]) == STATE_BROKEN;
    return broken ? &processors[index].exception : NULL;
}
