/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unclaimed interrupts on a made-up machine: each is ended as it needs, counted and named, and too
 * many end the run. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

#define insn_in8 made_up_in8

static uint8_t made_up_in8(uint16_t port);

#define ARCH_CPU_GROUND_INSN_H
#define ARCH_CPU_GROUND_WAIT_H
struct wait {
    int unused;
};

#include "arch/cpu/apic/unclaimed.c"
#include "kernel/run/unclaimed.c"

static enum apic_mode mode = APIC_MODE_XAPIC;
static bool in_service[256], astray;
static unsigned eois, pic_ends;
static uint8_t reason;
static uint64_t now, elsewhere; /* the second: its TSC is so far ahead */
static struct cpu cpu;
const struct test *volatile running_test;

static uint8_t made_up_in8(uint16_t port)
{
    CHECK(port == 0x61, "port %#x", port);
    return reason;
}

enum apic_mode apic_mode(void)
{
    return mode;
}

bool apic_in_service(uint8_t vector)
{
    CHECK(mode != APIC_MODE_ABSENT, "asked an APIC that is not there");
    return in_service[vector];
}

void apic_eoi(void)
{
    eois++;
}

bool apic_pmi_went_astray(void)
{
    CHECK(mode != APIC_MODE_ABSENT, "asked an APIC that is not there");
    return astray;
}

bool pic_end(uint8_t vector)
{
    pic_ends++;
    return vector == 0x27;
}

const char *cpu_label_suffix(void)
{
    return "";
}

struct cpu *this_cpu(void)
{
    return &cpu;
}

uint64_t time_now(void)
{
    return now + cpu.index * elsewhere;
}

uint64_t time_microseconds_since(uint64_t start)
{
    return time_now() - start;
}

static jmp_buf way_back;
static char last_words[512];

static void end_run(struct trap_frame *frame, const char *what)
{
    (void)frame;
    format_string(last_words, sizeof(last_words), "%s", what);
    longjmp(way_back, 1);
}

static void send(uint8_t vector)
{
    struct trap_frame frame = {.vector = vector, .rip = 0x1234, .cs = 0x2b};

    unclaimed_take(&frame);
}

static void expect_ends(const char *what, unsigned by_apic, unsigned by_pic)
{
    CHECK(eois == by_apic && pic_ends == by_pic, "%s: %u and %u ends", what, eois, pic_ends);
    eois = pic_ends = 0;
}

static void check_ends(void)
{
    in_service[0x31] = true;
    send(0x31);
    expect_ends("in service", 1, 0);
    send(0x27);
    expect_ends("of an 8259", 0, 1);
    in_service[0xff] = true;
    send(0xff);
    expect_ends("a device's at the spurious vector", 1, 0);
    CHECK(unclaimed_count() == 3, "%u", unclaimed_count());
    in_service[0xff] = false;
    send(0xff);
    expect_ends("a spurious one", 0, 0);
    CHECK(unclaimed_count() == 3 && unclaimed_of(0xff)->count == 1, "%u", unclaimed_count());
    reason = 0x8f;
    send(VECTOR_NMI);
    expect_ends("an NMI", 0, 0);
    CHECK(unclaimed_of(VECTOR_NMI)->reason == NMI_REASON_SERR, "%x", unclaimed_of(2)->reason);
    mode = APIC_MODE_ABSENT;
    send(0x27);
    expect_ends("without an APIC", 0, 1);
    mode = APIC_MODE_XAPIC;
    CHECK(unclaimed_disturbances() == 5, "%u", unclaimed_disturbances());
    astray = true;
    send(0x41);
    astray = false;
    CHECK(unclaimed_count() == 6 && unclaimed_disturbances() == 5, "%u disturbances",
          unclaimed_disturbances());
    unclaimed_suspect(0x41);
    unclaimed_suspect(0x43);
    CHECK(unclaimed_disturbances() == 5, "the processor sent it, or none has come");
    CHECK(unclaimed_suspicions() == 2, "%u suspicions", unclaimed_suspicions());
    unclaimed_suspect(VECTOR_NMI);
    CHECK(unclaimed_count() == 6 && unclaimed_disturbances() == 6, "such have come");
    CHECK(unclaimed_suspicions() == 2, "%u suspicions", unclaimed_suspicions());
}

static void check_lines(void)
{
    static const struct test test = {.suite = "suite", .name = "name"};

    ktap_open(0, NULL);
    take_captured();
    running_test = &test;
    send(0x31);
    send(0x42);
    running_test = NULL;
    send(0x42);
    unclaimed_print_new(LEVEL_SUITE);
    CHECK(
        strstr(
            captured,
            "  # unclaimed: NMI came between tests, at 0x0000000000001234 in ring 3 on processor 0, SERR# "
            "by port 61H\n") != NULL,
        "%s", captured);
    CHECK(
        strstr(captured,
               "  # unclaimed: vector 0x42 came during suite.name, at 0x0000000000001234 in ring 3 "
               "on processor 0\n") != NULL,
        "%s", captured);
    CHECK(
        strstr(captured,
               "vector 0x41 came between tests, at 0x0000000000001234 in ring 3 on processor 0, in "
               "the place of a performance interrupt\n") != NULL,
        "%s", captured);
    take_captured();
    send(0x42);
    unclaimed_print_new(LEVEL_SUITE);
    CHECK_TEXT(take_captured(), "");
    unclaimed_print_all();
    CHECK_TEXT(take_captured(), "# unclaimed: NMI x1, vector 0x27 x2, vector 0x31 x2, vector 0x41 "
                                "x1, vector 0x42 x3, vector 0xff x1\n");
}

/* How many came until the run ended, one each so many microseconds, and every second one elsewhere
 * where there is such a place; or 0: it did not. */
static volatile unsigned sent;

static unsigned send_until_the_end(unsigned microseconds, unsigned most)
{
    unclaimed_start(end_run);
    if (setjmp(way_back) != 0)
        return sent;
    for (sent = 1; sent <= most; sent++) {
        cpu.index = elsewhere > 0 ? 1 - sent % 2 : cpu.index;
        send(0x31);
        now += microseconds;
    }
    return 0;
}

static void check_storms(void)
{
    unsigned before = unclaimed_count();

    CHECK(send_until_the_end(1100, 5000) == 0, "1100 us apart are a storm");
    now += 2000000;
    CHECK(send_until_the_end(500, 5000) == 1001, "a storm after %u", sent);
    CHECK(strstr(last_words, "the last: vector 0x31 at 0x0000000000001234 in ring 3") != NULL, "%s",
          last_words);
    now += 2000000;
    cpu.index = 1;
    CHECK(send_until_the_end(500, 2000) == 0, "processor 1 ended the run");
    unclaimed_print_new(LEVEL_SUITE);
    cpu.index = 0;
    now += 2000000;
    elsewhere = 30000000;
    CHECK(send_until_the_end(500, 1500) == 1001, "with another's between, a storm after %u", sent);
    elsewhere = cpu.index = 0;
    now += 2000000;
    CHECK(send_until_the_end(1100, 5000) == 10001 - (before + 5000 + 1001 + 2000 + 1001),
          "ten thousand, after %u", sent);
    cpu.index = 1;
    last_words[0] = '\0';
    if (setjmp(way_back) == 0)
        unclaimed_print_new(LEVEL_SUITE);
    CHECK(strstr(last_words, "storm") != NULL, "processor 1's storm did not end the run");
    cpu.index = 0;
    unclaimed_stop();
    CHECK(send_until_the_end(1, 5000) == 0, "a storm while the run ends");
}

int main(void)
{
    unclaimed_print_all();
    CHECK_TEXT(take_captured(), "");
    unclaimed_start(end_run);
    check_ends();
    check_lines();
    check_storms();
    return check_result();
}
