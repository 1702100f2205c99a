/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processors apart from this kernel: each runs the kernel in a private image. */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/msr.h"
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
