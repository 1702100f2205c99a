/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/smp/hold.h"
#include "arch/cpu/identity/firmware_state.h"
#include "arch/cpu/memory/low_memory.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/smp/processors_start.h"
#include "arch/cpu/memory/stacks.h"
#include "arch/cpu/identity/tsc_rate.h"
#include "arch/cpu/ground/wait.h"

#define INIT_MICROSECONDS     10000u /* from INIT to the first message: F10.34 */
#define REST_MICROSECONDS     500u
#define BRING_UP_MICROSECONDS 2000000u

/* Waits after each start-up message. A processor begins at once with the first (F10.34, F24.21),
 * but may miss some while its microcode still works on INIT. */
static const uint32_t startup_microseconds[] = {200, 9800, 90000, 900000};
#define STARTUPS (sizeof(startup_microseconds) / sizeof(startup_microseconds[0]))

enum state {
    STATE_OFF,  /* does not work for us; may be anywhere, or parked */
    STATE_INIT, /* waits for a start-up message, long enough after INIT */
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
    uint64_t kind; /* struct processor_call */
    processor_function function;
    void *argument;
    struct processor_exception exception;
};

extern const uint8_t ap_trampoline[], ap_trampoline_end[]; /* boot/ap_trampoline.S */
extern const uint8_t ap_trampoline_arrived[], ap_trampoline_has_first[];

struct processor_entering processor_entering; /* of the next to start, for boot/ap_trampoline.S */

#define AT(member, offset)                                                                         \
    _Static_assert(offsetof(struct processor_entering, member) == (offset), "assembly")
AT(root, ENTERING_ROOT);
AT(efer, ENTERING_EFER);
AT(stack, ENTERING_STACK);
AT(main, ENTERING_MAIN);
AT(argument, ENTERING_ARGUMENT);
AT(tsc, ENTERING_TSC);

static struct processor processors[PROCESSORS_MAX];
static unsigned count = 1;
static uint64_t ticks_per_microsecond = 1;
static uint64_t launched_at; /* TSC */
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

static void halt(void) __attribute__((noreturn));

static void halt(void)
{
    for (;;) {
        insn_cli();
        insn_hlt();
    }
}

/* Another processor's panic; processor 0 finds the exception here and reports it. */
static void keep_exception(struct trap_frame *frame)
{
    struct processor *self = &processors[this_cpu()->index];
    self->exception = (struct processor_exception){.frame = *frame, .cr2 = insn_read_cr2()};
    set_state(self, STATE_BROKEN);
    halt();
}

static const char *join(const struct cpu *cpu)
{
    const char *wrong = apic_init_other();
    if (wrong != NULL)
        return wrong;
    if (cpu->apic_id != processors[cpu->index].apic_id)
        return "its APIC id is not the one that the MADT has";
    processors[cpu->index].kind = (uint64_t)identity_core() << 32 | insn_cpuid(1, 0).eax;
    frequency_hold();
    tsx_abort_hold();
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

static void processor_main(void *argument) __attribute__((noreturn));

static void processor_main(void *argument)
{
    struct cpu *cpu = argument;
    struct processor *self = &processors[cpu->index];
    interrupts_init(cpu->index);
    if (!features_are_probed(cpu->index))
        features_view(0); /* of the processor that booted, until its own are probed */
    cpu->fallback = keep_exception;
    firmware_state_reset();
    paging_load();
    self->why = join(cpu);
    set_state(self, self->why == NULL ? STATE_IDLE : STATE_REFUSED);
    if (self->why != NULL)
        halt();
    work(self);
}

/* ---- on processor 0 ---- */

const char *processors_prepare(uint64_t tsc_per_microsecond)
{
    ticks_per_microsecond = tsc_per_microsecond;
    return low_memory_find(LOW_SIZE, &low) ? NULL
                                           : "no memory below 1 MiB is free to start it from";
}

void processors_use(const struct processor_list *list)
{
    count = list->count;
    for (unsigned i = 0; i < count; i++)
        processors[i].apic_id = list->ids[i];
}

unsigned processor_count(void)
{
    return count;
}

uint32_t processor_apic_id(unsigned index)
{
    return index < count ? processors[index].apic_id : UINT32_MAX;
}

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

static void lay_out(const struct processor_entering *entering, const struct real_mode_code *first)
{
    __builtin_memcpy(low.mapped, ap_trampoline, (size_t)(ap_trampoline_end - ap_trampoline));
    if (first != NULL) {
        __builtin_memcpy(low.mapped + LOW_CODE, first->start, first->size);
        *in_copy(ap_trampoline_has_first) = 1;
    }
    processor_entering = *entering;
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

/* Sends start-up messages to a processor in INIT, which ignores surplus ones (F10.35). */
static const char *send_start(uint32_t apic_id)
{
    uint8_t page = (uint8_t)(low.physical / PAGE_SIZE);
    for (unsigned i = 0; i < STARTUPS; i++) {
        if (!apic_send_startup(apic_id, page))
            return "the start-up message did not leave the local APIC";
        if (arrives_within(startup_microseconds[i]))
            return NULL;
    }
    return "it executed nothing after INIT and four start-up messages";
}

_Static_assert(STARTUPS == 4, "the text");

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

const char *processor_launch(uint32_t apic_id, const struct processor_entering *entering,
                             const struct real_mode_code *first)
{
    lay_out(entering, first);
    launched_at = insn_rdtsc();
    const char *wrong = send_start(apic_id);
    *in_copy(ap_trampoline_arrived) = 1; /* nobody else is expected */
    return wrong;
}

int64_t processor_tsc_ahead(void)
{
    uint64_t there = __atomic_load_n(&processor_entering.tsc, __ATOMIC_ACQUIRE);
    return there != 0 ? tsc_ahead(launched_at, there, insn_rdtsc()) : 0;
}

static const char *start_from_init(unsigned index, const struct real_mode_code *first)
{
    struct processor *processor = &processors[index];
    const struct processor_entering entering = {
        .stack = stack_top(index, STACK_KERNEL), .main = processor_main, .argument = &cpus[index]};
    cpus[index].index = index;
    set_state(processor, STATE_STARTING);
    const char *wrong = processor_launch(processor->apic_id, &entering, first);
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

void processors_send_init(const uint32_t *ids, unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        apic_send_init(ids[i]);
    delay(INIT_MICROSECONDS);
}

/* The processor has the last number while it runs, and is sent back to INIT first of all. */
void processor_call(uint32_t apic_id, struct processor_call *call)
{
    struct processor *processor = &processors[PROCESSORS_MAX - 1];
    uint32_t usual_id = processor->apic_id;
    processor->apic_id = apic_id;
    apic_take_errors();
    *call = (struct processor_call){.apic_id = apic_id};
    call->wrong = start_from_init(PROCESSORS_MAX - 1, NULL);
    call->errors = apic_take_errors();
    call->has_exception = get_state(processor) == STATE_BROKEN;
    call->exception = processor->exception;
    call->kind = processor->kind;
    call->tsc_ahead = processor_tsc_ahead();
    apic_send_init(apic_id);
    set_state(processor, STATE_OFF);
    processor->apic_id = usual_id;
}

void processors_settle(const uint32_t *ids, unsigned number)
{
    delay(INIT_MICROSECONDS);
    if (processors_are_parked())
        processors_park(ids, number, ticks_per_microsecond);
}

void processor_stop(unsigned index)
{
    if (!processor_is_started(index))
        return;
    bool was_sent = apic_send_init(processors[index].apic_id);
    processors_settle(&processors[index].apic_id, 1);
    set_state(&processors[index], was_sent && !processors_are_parked() ? STATE_INIT : STATE_OFF);
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
