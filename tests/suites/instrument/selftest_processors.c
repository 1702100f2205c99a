/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do the other processors come up as tests need them? */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/stacks.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/run/other_processor.h"
#include "tests/workloads/workload.h"

#define WHOLE_TIME 100000 /* microseconds */

struct own_state {
    uint32_t index, apic_id;
    uint64_t rflags, stack_low, stack_high, rsp;
    uint64_t cr0, cr3, cr4;
};

static void look(void *argument)
{
    struct own_state *seen = argument;

    *seen = (struct own_state){.index = this_cpu()->index,
                               .apic_id = apic_id(),
                               .rflags = insn_read_rflags(),
                               .rsp = (uint64_t)(uintptr_t)__builtin_frame_address(0),
                               .cr0 = insn_read_cr0(),
                               .cr3 = insn_read_cr3(),
                               .cr4 = insn_read_cr4()};
    stack_bounds(seen->rsp, &seen->stack_low, &seen->stack_high);
}

static void check(struct test_context *t, unsigned index)
{
    struct own_state seen = {0};

    if (!other_run(t, index, look, &seen))
        return;
    EXPECT_EQUAL(t, SETUP, "its index", seen.index, index);
    EXPECT(t, SETUP, seen.apic_id != apic_id(), "it has the APIC id of the processor that booted");
    EXPECT(t, SETUP, seen.rflags & RFLAGS_IF, "interrupts are off");
    EXPECT_EQUAL(t, SETUP, "top of the stack in use", seen.stack_high,
                 stack_top(index, STACK_KERNEL));
    EXPECT_EQUAL(t, SETUP, "CR0", seen.cr0, insn_read_cr0());
    EXPECT_EQUAL(t, SETUP, "CR3", seen.cr3, insn_read_cr3());
    EXPECT_EQUAL(t, SETUP, "CR4", seen.cr4, insn_read_cr4());
}

/* Twice: the second start finds what the first one left. */
SELFTEST(selftest, other_processor_works, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    for (unsigned time = 0; time < 2; time++) {
        for (unsigned index = 1; index < processor_count(); index++) {
            if (!other_start(t, index))
                return;
            check(t, index);
            other_stop(t, index);
        }
    }
}

static void time_a_test(void *argument)
{
    bool *is_late = argument;
    struct wait wait = time_wait(WHOLE_TIME);

    test_time_here(WHOLE_TIME);
    is_late[0] = test_is_late();
    while (wait_goes_on(&wait))
        insn_pause();
    is_late[1] = test_is_late();
}

/* By its own TSC: others may be apart from that (F14.17). */
SELFTEST(selftest, time_of_a_test_elsewhere, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    bool is_late[2];

    for (unsigned index = 1; index < processor_count(); index++) {
        if (!other_start(t, index))
            return;
        if (other_run(t, index, time_a_test, is_late))
            EXPECT(t, SETUP, !is_late[0] && is_late[1], "processor %u is %s", index,
                   is_late[0] ? "late at once" : "never late");
        other_stop(t, index);
    }
    EXPECT(t, SETUP, !test_is_late(), "this processor is late");
}

/* More than have numbers, where the machine has more. Those that did not come at first stand in the
 * head of the log. */
SELFTEST(selftest, every_processor_comes, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    struct roll_call roll = processors_call_roll();
    const struct processor_call *ignored;
    unsigned absent = processors_absent(&ignored);

    if (roll.absent.wrong)
        test_skip(t, "%u of %u came; not that with APIC id %u: %s", roll.came, roll.called + 1,
                  roll.absent.apic_id, roll.absent.wrong);
    else
        EXPECT_EQUAL(t, SETUP, "processors that came", roll.came,
                     processors_listed() - processors_out_of_reach() - absent);
}

/* In the local APIC's mode. Where the NMI came, or 0. */
static void send_itself_an_nmi(void *argument)
{
    bool x2apic = apic_mode() == APIC_MODE_X2APIC;
    struct bracket bracket = {
        .entry = x2apic ? workload_kernel_nmi_x2apic.entry : workload_kernel_nmi.entry,
        .argument = apic_prepare_self_nmi(),
    };

    interrupted_at = 0;
    interrupt_gate_direct(VECTOR_NMI, interrupted_handler, 0);
    bracket_run(&bracket);
    interrupt_gate_reset(VECTOR_NMI);
    *(uint64_t *)argument = interrupted_at;
}

static void check_nmi(struct test_context *t, unsigned index, uint64_t at)
{
    EXPECT(t, SETUP, at != 0, "processor %u, APIC id %u, sent itself an NMI, and none came", index,
           processor_apic_id(index));
}

SELFTEST(selftest, nmi_to_itself_comes, CLAIMS(), NEEDS(APIC))
{
    uint64_t at;

    send_itself_an_nmi(&at);
    check_nmi(t, 0, at);
    for (unsigned index = 1; index < processor_count(); index++) {
        if (!other_start(t, index))
            return;
        if (other_run(t, index, send_itself_an_nmi, &at))
            check_nmi(t, index, at);
        other_stop(t, index);
    }
}
