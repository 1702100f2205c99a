/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that every verdict rests on, tried on the machine itself. Run when named. */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/ground/exception.h"
#include "arch/cpu/memory/stacks.h"
#include "arch/cpu/traps/user.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/lib/words.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/run/machine_check_run.h"

SUITE(selftest, .order = 1);

#define NOT_CANONICAL    ((void *)0x8000000000000000ull)
#define NOT_MAPPED       ((void *)0x7ffffff000ull)
#define HIGH_BIT         (1ull << 63)
#define TEXT_SIZE        80u
#define SHORT_WAIT       2000u    /* microseconds */
#define LONG_WAIT        1000000u /* more than anything here takes */
#define HALF_A_SECOND    500000u
#define VECTOR_SPARE     0xd0u /* nobody else's */
#define USER_ANSWER      0x1234u
#define PAGE_FAULT_USER  4u
#define PAGE_FAULT_WRITE 2u /* a bit of its error code */

static void expect_text(struct test_context *t, const char *got, const char *expected)
{
    EXPECT(t, SETUP, strcmp(got, expected) == 0, "expected '%s', got '%s'", expected, got);
}

SELFTEST(selftest, format_string, CLAIMS(), NEEDS())
{
    char text[TEXT_SIZE];
    int length = format_string(text, sizeof(text), "%5d|%-4u|%04x|%#lx|%s|%c|%.2s", -42, 7, 0xbe,
                               0xffffffff80000000, "text", 'c', "cut");

    expect_text(t, text, "  -42|7   |00be|0xffffffff80000000|text|c|cu");
    EXPECT_EQUAL(t, SETUP, "length", (uint64_t)length, strlen(text));
    EXPECT_EQUAL(t, SETUP, "length wanted", (uint64_t)format_string(text, 4, "%s", "abcdef"), 6);
    expect_text(t, text, "abc");
}

SELFTEST(selftest, symbols_name_addresses, CLAIMS(), NEEDS())
{
    char text[TEXT_SIZE];
    uint64_t offset;

    format_string(text, sizeof(text), "%pS|%pS", (void *)format_string,
                  (void *)((uint64_t)format_string + 3));
    expect_text(t, text, "format_string|format_string+0x3");
    EXPECT(t, SETUP, symbol_find((uint64_t)NOT_CANONICAL, &offset) == NULL,
           "a name outside the image");
}

SELFTEST(selftest, glob_matches, CLAIMS(), NEEDS())
{
    EXPECT(t, SETUP, glob_match("ring3.*", "ring3.reads"), "star");
    EXPECT(t, SETUP, glob_match("r?ng3.reads", "ring3.reads"), "question mark");
    EXPECT(t, SETUP, !glob_match("ring3", "ring3.reads"), "the whole name must match");
}

/*
 * Bits 63:32 of IA32_PKRS are reserved where the register exists, and it faults as a whole where it
 * does not: this write faults on every processor, stock emulation included.
 */
SELFTEST(selftest, msr_fixup_reports_gp, CLAIMS(), NEEDS(MSR))
{
    struct exception exception = wrmsr_safe(IA32_PKRS, HIGH_BIT);
    uint64_t value = USER_ANSWER;

    EXPECT_EQUAL(t, SETUP, "vector of a bad WRMSR", exception.vector, VECTOR_GP);
    EXPECT_EQUAL(t, SETUP, "its error code", exception.error_code, 0);
    exception = rdmsr_safe(IA32_EFER, &value);
    EXPECT(t, SETUP, !exception_happened(exception), "IA32_EFER cannot be read: %s",
           exception_name(exception));
    EXPECT_EQUAL(t, SETUP, "IA32_EFER.LMA", value & EFER_LMA, EFER_LMA);
    exception = wrmsr_safe(IA32_EFER, value);
    EXPECT(t, SETUP, !exception_happened(exception), "IA32_EFER cannot be written: %s",
           exception_name(exception));
}

/* On a host that is busy it takes longer, for it waits by the time that the processor has. */
SELFTEST(selftest, takes_half_a_second_of_its_time, CLAIMS(), NEEDS())
{
    uint64_t start = time_now();
    struct wait wait = time_wait(HALF_A_SECOND);

    while (wait_goes_on(&wait))
        ;
    EXPECT(t, SETUP, time_microseconds_since(start) >= HALF_A_SECOND, "the wait was too short");
}

SELFTEST(selftest, probes_report_faults, CLAIMS(), NEEDS())
{
    uint8_t value = 7;

    EXPECT_EQUAL(t, SETUP, "read, not mapped", probe_read(NOT_MAPPED, &value).vector, VECTOR_PF);
    EXPECT_EQUAL(t, SETUP, "read, not canonical", probe_read(NOT_CANONICAL, &value).vector,
                 VECTOR_GP);
    EXPECT_EQUAL(t, SETUP, "value after faults", value, 7);
    EXPECT_EQUAL(t, SETUP, "read of a variable", probe_read(&value, &value).vector,
                 EXCEPTION_NO_VECTOR);
    EXPECT_EQUAL(t, SETUP, "write to a variable", probe_write(&value, 9).vector,
                 EXCEPTION_NO_VECTOR);
    EXPECT_EQUAL(t, SETUP, "value written", value, 9);
}

SELFTEST(selftest, paging_is_w_xor_x, CLAIMS(), NEEDS())
{
    static uint8_t data = 0xc3; /* RET, if it could be executed */
    const char *problem = paging_check();
    struct exception exception = probe_write((void *)test_note, 0);

    EXPECT(t, SETUP, problem == NULL, "%s", problem);
    EXPECT_EQUAL(t, SETUP, "write to code", exception.vector, VECTOR_PF);
    EXPECT_EQUAL(t, SETUP, "its error code's W bit", exception.error_code & PAGE_FAULT_WRITE,
                 PAGE_FAULT_WRITE);
    EXPECT_EQUAL(t, SETUP, "write to constants", probe_write((void *)"constant", 0).vector,
                 VECTOR_PF);
    if (paging_without_nx() == NULL)
        EXPECT_EQUAL(t, SETUP, "execution of data", probe_execute(&data).vector, VECTOR_PF);
}

SELFTEST(selftest, guard_page_faults, CLAIMS(), NEEDS())
{
    uint8_t value;

    for (unsigned i = 0; i < STACK_COUNT; i++) {
        EXPECT_EQUAL(t, SETUP, "read of a guard page", probe_read(stacks[i].guard, &value).vector,
                     VECTOR_PF);
        EXPECT_EQUAL(t, SETUP, "read of its last byte",
                     probe_read(&stacks[i].guard[STACK_GUARD_SIZE - 1], &value).vector, VECTOR_PF);
        EXPECT_EQUAL(t, SETUP, "read of the stack's lowest byte",
                     probe_read(&stacks[i].bytes[0], &value).vector, EXCEPTION_NO_VECTOR);
    }
}

static __attribute__((section(".user.text"))) void read_in_ring_3(uint64_t address)
{
    for (;;)
        *(volatile uint8_t *)address;
}

SELFTEST(selftest, ring3_faults_are_reported, CLAIMS(), NEEDS(SYSCALL))
{
    static const enum user_entry entries[] = {USER_ENTRY_IRET, USER_ENTRY_SYSRET};

    for (unsigned i = 0; i < 2; i++) {
        struct user_result got =
            user_run(entries[i], (void (*)(void))read_in_ring_3, (uint64_t)NOT_MAPPED);

        EXPECT_EQUAL(t, SETUP, "vector", got.exception.vector, VECTOR_PF);
        EXPECT_EQUAL(t, SETUP, "error code", got.exception.error_code, PAGE_FAULT_USER);
        EXPECT_EQUAL(t, SETUP, "CR2", got.fault_address, (uint64_t)NOT_MAPPED);
    }
}

static volatile unsigned ticks;

static bool count_tick(struct trap_frame *frame)
{
    (void)frame;
    ticks++;
    apic_eoi();
    return true;
}

SELFTEST(selftest, interrupts_arrive_once, CLAIMS(), NEEDS(APIC))
{
    uint64_t deadline = time_deadline_microseconds(LONG_WAIT);
    uint64_t before = interrupt_count(VECTOR_SPARE);

    ticks = 0;
    interrupt_set_handler(VECTOR_SPARE, count_tick);
    apic_self_ipi(VECTOR_SPARE);
    while (ticks == 0 && !time_passed(deadline))
        ;
    for (deadline = time_deadline_microseconds(SHORT_WAIT); !time_passed(deadline);)
        ;
    interrupt_set_handler(VECTOR_SPARE, NULL);
    EXPECT_EQUAL(t, SETUP, "interrupts served", ticks, 1);
    EXPECT_EQUAL(t, SETUP, "interrupts counted", interrupt_count(VECTOR_SPARE) - before, 1);
    EXPECT(t, SETUP, !apic_in_service(VECTOR_SPARE), "still in service after its EOI");
}

/* --- what the lab promises, on any processor: no Debug Store is needed for it --- */

static struct machine_check_observation seen;

static void inject_one(struct test_context *t, bool user)
{
    const struct machine_check_run run = {.user = user};
    uint64_t before = interrupt_count(VECTOR_MC);

    if (!machine_check_run(t, &run, &seen))
        return;
    EXPECT(t, SETUP, interrupt_count(VECTOR_MC) > before, "the handler was not asked by its gate");
    EXPECT_EQUAL(t, SETUP, "MCIP and RIPV of IA32_MCG_STATUS",
                 seen.check.global_status & (MCG_STATUS_MCIP | MCG_STATUS_RIPV),
                 MCG_STATUS_MCIP | MCG_STATUS_RIPV);
    EXPECT(t, SETUP, seen.check.bank != MACHINE_CHECK_NO_BANK, "no bank holds a valid error");
    EXPECT_EQUAL(t, SETUP, "bank of an error once it was taken", machine_check_take().bank,
                 MACHINE_CHECK_NO_BANK);
}

/* Twice from each ring: the first leaves nothing behind that is in the way of the next. */
SELFTEST(selftest, lab_injects_machine_checks, CLAIMS(), NEEDS(MCE, MCA, SYSCALL))
{
    if (!machine_check_is_possible(t))
        return;
    for (unsigned i = 0; i < 4; i++)
        inject_one(t, i % 2 == 1);
}
