/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are the DS save area and the BTS buffer out of reach of ring 3, and are a ring 3 program's
 * records right?
 */
#include "arch/cpu/traps/user.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/trace_state.h"
#include "kernel/machine/event.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/spec/observe.h"

SUITE(ring3, .order = -1);

extern void user_read_byte(void), user_write_byte(void);
extern uint8_t user_byte;

#define PAGE_FAULT_USER    (1u << 2) /* error code: the access came from ring 3 */
#define PAGE_FAULT_PRESENT (1u << 0) /* the page is there, its rights forbid the access */
#define PAGE_FAULT_WRITE   (1u << 1)

static void expect_denied(struct test_context *t, const char *what, const void *address, bool write)
{
    struct user_result got =
        user_run(USER_ENTRY_IRET, write ? user_write_byte : user_read_byte, (uint64_t)address);
    uint32_t expected = PAGE_FAULT_USER | PAGE_FAULT_PRESENT | (write ? PAGE_FAULT_WRITE : 0);

    EXPECT(t, EXCEPTION, got.exception.vector == VECTOR_PF && got.exception.error_code == expected,
           "%s the %s from ring 3: %s with error code %#x, expected #PF with %#x",
           write ? "writing" : "reading", what, exception_name(got.exception),
           got.exception.error_code, expected);
    EXPECT(t, EXCEPTION,
           got.exception.vector != VECTOR_PF || got.fault_address == (uint64_t)address,
           "%s the %s from ring 3 faulted at %#llx", write ? "writing" : "reading", what,
           (unsigned long long)got.fault_address);
}

/* Nothing here may fault. */
static void expect_no_fault(struct test_context *t, const char *what, struct user_result got)
{
    char event[EVENT_TEXT_SIZE];

    EXPECT(t, EXCEPTION, !exception_happened(got.exception), "%s: %s", what,
           event_format_name(got.exception.vector, got.exception.error_code, got.fault_address,
                             event, sizeof event));
}

TEST(ring3, reaches_its_own_data, CLAIMS("ISR-1"), NEEDS(SYSCALL))
{
    struct user_result got = user_run(USER_ENTRY_IRET, user_read_byte, (uint64_t)&user_byte);

    expect_no_fault(t, "reading its own byte", got);
    EXPECT_EQUAL(t, SETUP, "the byte as ring 3 read it", got.rax, 0xc3);
    got = user_run(USER_ENTRY_SYSRET, user_write_byte, (uint64_t)&user_byte);
    expect_no_fault(t, "writing its own byte", got);
    EXPECT_EQUAL(t, SETUP, "the byte after ring 3 wrote it", *(volatile uint8_t *)&user_byte, 0x5a);
    user_byte = 0xc3;
}

TEST(ring3, cannot_reach_the_ds_save_area, CLAIMS("ISR-1"), NEEDS(SYSCALL))
{
    struct ds_memory *memory = trace_state()->memory;
    const struct {
        const char *what;
        const void *address;
    } places[] = {
        {"first byte of the buffer management area", &memory->area},
        {"BTS index", &memory->area.bts_index},
        {"last byte of the buffer management area", (const uint8_t *)(&memory->area + 1) - 1},
        {"first byte of the BTS buffer", memory->buffer},
        {"middle of the BTS buffer", memory->buffer + BTS_BUFFER_BYTES / 2},
        {"last byte of the BTS buffer", memory->buffer + BTS_BUFFER_BYTES - 1},
    };

    for (size_t i = 0; i < COUNT_OF(places); i++) {
        expect_denied(t, places[i].what, places[i].address, false);
        expect_denied(t, places[i].what, places[i].address, true);
    }
}

/* Records of ring 3 land in pages that ring 3 cannot touch (F3.37). */
static void check_user_trace(struct test_context *t, uint64_t debugctl)
{
    const struct run run = {
        .debugctl = debugctl,
        .layout = {.records = 128, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };

    observe_run(t, program_of_workload(&workload_user_branches), &run);
}

TEST(ring3, records_of_a_user_workload, CLAIMS("BTS-1", "BTS-2", "T17-6.3"), NEEDS(BTS))
{
    check_user_trace(t, DEBUGCTL_TR | DEBUGCTL_BTS);
}

TEST(ring3, records_under_every_off_setting,
     CLAIMS("T17-6.3", "T17-6.4", "T17-6.5", "T17-6.6", "BTS-1", "CPL-1"), NEEDS(BTS, DS_CPL))
{
    static const struct {
        const char *name, *claim;
        uint64_t off;
    } settings[] = {
        {"off_os0_off_usr0", "T17-6.3", 0},
        {"off_os1_off_usr0", "T17-6.4", DEBUGCTL_BTS_OFF_OS},
        {"off_os0_off_usr1", "T17-6.5", DEBUGCTL_BTS_OFF_USR},
        {"off_os1_off_usr1", "T17-6.6", DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR},
    };

    TEST_EACH(t, row, settings, row->claim, "%s", row->name)
        check_user_trace(t, DEBUGCTL_TR | DEBUGCTL_BTS | row->off);
}

/* --- full --- */

/* With buffers of different sizes, at least one is not full by chance when records continue at the
 * base. */
static const size_t sizes[] = {7, 8, 11};

/* Whether what comes is dropped is open (F5.5), but not for one setting so and otherwise for
 * another. */
static void check_full(struct test_context *t, uint64_t off)
{
    struct run run = {.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | off,
                      .layout = {.threshold = BTS_NO_THRESHOLD},
                      .policy = PMI_COUNT};

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        run.layout.records = sizes[i];
        if (!observe_run(t, program_of_workload(&workload_user_branches), &run))
            return;
    }
}

TEST(ring3, a_full_buffer_does_the_same_whatever_is_off, CLAIMS("BTS-6", "T17-6.4"),
     NEEDS(BTS, DS_CPL))
{
    check_full(t, 0);
    check_full(t, DEBUGCTL_BTS_OFF_OS);
}
