/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/interference.h"

#include <stdbool.h>
#include <stddef.h>

#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/apic/unclaimed.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/machine/time.h"

#define TEXT_SIZE    256u
#define VECTORS      256u
#define MICROSECONDS 1000000u

static const struct test *first_test[VECTORS]; /* test that was running; NULL: none */
static bool is_printed[VECTORS];
static uint64_t second_began; /* TSC */
static uint32_t count_then;
static volatile bool is_over;
static void (*end_by_storm)(struct trap_frame *frame, const char *what);

#define STORM                                                                                      \
    "a storm of interrupts that nobody claims, more than 1000 in a second or 10000 in all: what "  \
    "raises them must be switched off"

static const char *name_of(unsigned vector, char text[TEXT_SIZE])
{
    if (vector == VECTOR_NMI)
        return "NMI";
    format_string(text, TEXT_SIZE, "vector 0x%02x", vector);
    return text;
}

static bool is_storm(void)
{
    uint32_t count = unclaimed_count();

    if (time_microseconds_since(second_began) >= MICROSECONDS) {
        second_began = time_now();
        count_then = count;
    }
    return count - count_then > UNCLAIMED_SECOND_MOST || count > UNCLAIMED_MOST;
}

/* Only one processor writes the log and measures the second. */
static void watch(struct trap_frame *frame)
{
    char name[TEXT_SIZE], text[2 * TEXT_SIZE];

    if (unclaimed_of((uint8_t)frame->vector)->count == 1)
        first_test[frame->vector] = running_test;
    if (is_over || this_cpu()->index != 0 || !is_storm())
        return;
    format_string(text, sizeof(text), STORM "; the last: %s at %pS in ring %lu",
                  name_of((unsigned)frame->vector, name), (void *)frame->rip, frame->cs & 3);
    end_by_storm(frame, text);
}

void unclaimed_start(void (*storm)(struct trap_frame *frame, const char *what))
{
    end_by_storm = storm;
    second_began = time_now();
    count_then = unclaimed_count();
    unclaimed_watch(watch);
}

void unclaimed_stop(void)
{
    is_over = true;
}

static const char *reason_of(const struct unclaimed *one)
{
    if (one->reason & NMI_REASON_SERR)
        return ", SERR# by port 61H";
    if (one->reason & NMI_REASON_IOCHK)
        return ", IOCHK# by port 61H";
    return "";
}

static void print_new(unsigned level, unsigned vector)
{
    const struct unclaimed *one = unclaimed_of((uint8_t)vector);
    const struct test *test = first_test[vector];
    char name[TEXT_SIZE];

    is_printed[vector] = true;
    ktap_comment(level, "unclaimed: %s came %s%s%s%s, at %pS in ring %u on processor %u%s%s",
                 name_of(vector, name), test == NULL ? "between tests" : "during ",
                 test == NULL ? "" : test->suite, test == NULL ? "" : ".",
                 test == NULL ? "" : test->name, (void *)one->rip, one->ring, one->processor,
                 reason_of(one),
                 one->is_performance_only ? ", in the place of a performance interrupt" : "");
}

void unclaimed_print_new(unsigned level)
{
    for (unsigned vector = 0; vector < VECTORS; vector++) {
        if (!is_printed[vector] && unclaimed_of((uint8_t)vector)->count > 0)
            print_new(level, vector);
    }
    if (unclaimed_count() > UNCLAIMED_MOST)
        end_by_storm(NULL, STORM);
}

void unclaimed_print_all(void)
{
    char text[2 * TEXT_SIZE] = "", name[TEXT_SIZE];

    if (unclaimed_count() == 0)
        return;
    for (unsigned vector = 0; vector < VECTORS; vector++) {
        uint32_t count = unclaimed_of((uint8_t)vector)->count;

        if (count > 0)
            format_append(text, sizeof(text), "%s %s x%u", text[0] == '\0' ? "" : ",",
                          name_of(vector, name), count);
    }
    ktap_comment(LEVEL_RUN, "unclaimed%s:%s", cpu_label_suffix(), text);
}
