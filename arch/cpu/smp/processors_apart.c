/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processors apart from this kernel: those in private images, and those that are parked. */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/wait.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/identity/firmware_state.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/memory/private_image.h"
#include "arch/cpu/memory/stacks.h"
#include "arch/cpu/smp/hold.h"
#include "arch/cpu/smp/processors_start.h"
#include "arch/cpu/traps/interrupts.h"

const char *processor_send_off(uint32_t apic_id, uint64_t image, void (*main)(void *argument),
                               void *argument)
{
    const struct processor_entering entering = {
        .root = private_image_root(image),
        .efer = paging_without_nx() == NULL ? EFER_NXE : 0,
        .stack = stack_top(0, STACK_KERNEL),
        .main = main,
        .argument = argument,
    };

    processors_send_init(&apic_id, 1);
    return processor_launch(apic_id, &entering, NULL);
}

void processor_call_back(uint32_t apic_id)
{
    apic_send_init(apic_id);
    processors_settle(&apic_id, 1);
}

static const char *join(uint32_t apic_id)
{
    const char *wrong = apic_init_other();

    if (wrong != NULL)
        return wrong;
    return cpus[0].apic_id == apic_id ? NULL : "its APIC id is not the one that the MADT has";
}

const char *processor_be_alone(uint32_t apic_id)
{
    const struct processor_list alone = {.count = 1, .ids = {apic_id}};
    const char *wrong;

    interrupts_init(0);
    firmware_state_reset();
    paging_load();
    processors_use(&alone);
    wrong = join(apic_id);
    frequency_hold();
    tsx_abort_hold();
    return wrong;
}

/*
 * On a real board a processor that is sent back must leave INIT, or the firmware's SMM code would
 * wait for it at every SMI, up to seconds (F10.13). Under a hypervisor it stays in INIT, which
 * saves an INIT at the next start.
 */

/* A needed message takes effect at once. A surplus one, delayed by a busy emulator until after the
 * next INIT, would undo that INIT. */
#define MESSAGES     2u
#define MICROSECONDS 10000u /* for all to arrive, between two messages */

extern const uint8_t ap_park[], ap_park_came[], ap_park_end[]; /* boot/ap_trampoline.S */

bool processors_are_parked(void)
{
    return !feature_present(FEATURE_HYPERVISOR);
}

/* Copied once, because parked processors execute it. */
static uint8_t *lay_out(void)
{
    static bool is_laid_out;
    uint8_t *park = (uint8_t *)processor_low_memory() + LOW_PARK;
    if (!is_laid_out)
        __builtin_memcpy(park, ap_park, (size_t)(ap_park_end - ap_park));
    is_laid_out = true;
    return park;
}

static void send(const uint32_t *ids, unsigned number)
{
    uint8_t page = (uint8_t)((processor_low_address() + LOW_PARK) / PAGE_SIZE);
    for (unsigned i = 0; i < number; i++)
        apic_send_startup(ids[i], page);
}

/* Have number more arrived? */
static bool come(const uint32_t *count, uint32_t before, unsigned number, uint64_t ticks)
{
    struct wait wait = wait_begin(MICROSECONDS, ticks);
    while (__atomic_load_n(count, __ATOMIC_ACQUIRE) - before < number && wait_goes_on(&wait))
        insn_pause();
    return __atomic_load_n(count, __ATOMIC_ACQUIRE) - before >= number;
}

void processors_park(const uint32_t *ids, unsigned number, uint64_t tsc_per_microsecond)
{
    const uint32_t *count = (const uint32_t *)(lay_out() + (ap_park_came - ap_park));
    uint32_t before = __atomic_load_n(count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < MESSAGES; i++) {
        send(ids, number);
        if (come(count, before, number, tsc_per_microsecond))
            return;
    }
}
