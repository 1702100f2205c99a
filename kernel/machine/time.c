/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the TSC against two clocks of known rate (F14.12). Each may be missing or dead, so every
 * wait is bounded by a number of polls. If they disagree, the ACPI timer is used and the log says
 * so. If neither runs, CPUID gives the rate.
 */
#include "kernel/machine/time.h"
#include <stddef.h>
#include "arch/cpu/identity/tsc_rate.h"
#include "arch/cpu/tables/acpi.h"
#include "arch/lib/printf.h"

#define PIT_CHANNEL_2      0x42u
#define PIT_COMMAND        0x43u
#define PIT_GATE           0x61u
#define PIT_HERTZ          1193182u
#define PIT_MODE_0         0xb0u /* channel 2, low then high byte, interrupt on terminal count */
#define PIT_LATCH          0x80u /* channel 2 */
#define GATE_ON            0x01u
#define GATE_SPEAKER       0x02u
#define GATE_OUTPUT        0x20u
#define PM_TIMER_HERTZ     3579545u
#define PM_TIMER_MASK      0xffffffu /* the bits that every timer has */
#define SAMPLE_MICROSECOND 20000u
#define LOOKS              3000000u /* port reads; each takes a twentieth of a microsecond or more */
#define DEAD_LOOKS         50000u   /* polls without a change: the clock is dead */
#define ATTEMPTS           3u

/* A common rate, used before the measurement, and if nothing tells the rate. */
#define DEFAULT_TICKS 2000u

static uint64_t ticks_per_microsecond = DEFAULT_TICKS;
static bool is_known;
static char source[96] = "not measured";

static uint64_t rate_of(uint64_t tsc_ticks, uint64_t clock_ticks, uint64_t clock_hertz)
{
    if (clock_ticks == 0)
        return 0;
    return tsc_ticks * clock_hertz / clock_ticks / 1000000u;
}

static uint32_t looks_allowed(uint32_t passed)
{
    return passed == 0 ? DEAD_LOOKS : LOOKS;
}

/* Negates the count, because the PIT counts down. */
static uint32_t read_pit(uint16_t port)
{
    uint8_t low;

    insn_out8(PIT_COMMAND, PIT_LATCH);
    low = insn_in8(port);
    return -(uint32_t)(insn_in8(port) << 8 | low);
}

/* A counter that rises. */
struct counter {
    uint32_t (*read)(uint16_t port); /* NULL: missing, or not wanted */
    uint16_t port;
    uint32_t mask, hertz;
    uint32_t first, wanted, looks;
    uint64_t start; /* TSC */
    uint64_t rate;  /* of the TSC by this clock; 0: the clock is dead */
};

static void begin(struct counter *counter)
{
    counter->wanted = (uint32_t)((uint64_t)counter->hertz * SAMPLE_MICROSECOND / 1000000u);
    counter->first = counter->read(counter->port);
    counter->start = time_now();
    counter->looks = 0;
}

/* Polls it; returns whether to poll again. */
static bool look(struct counter *counter)
{
    uint32_t passed = (counter->read(counter->port) - counter->first) & counter->mask;

    if (passed >= counter->wanted)
        counter->rate = rate_of(time_now() - counter->start, passed, counter->hertz);
    return passed < counter->wanted && ++counter->looks < looks_allowed(passed);
}

/*
 * Measures both rates at the same time, between readings, because waiting for the end of a count is
 * late when interrupted.
 */
static void sample(struct counter *one, struct counter *other)
{
    bool is_first = one->read != NULL, is_second = other->read != NULL;

    if (is_first)
        begin(one);
    if (is_second)
        begin(other);
    while (is_first || is_second) {
        is_first = is_first && look(one);
        is_second = is_second && look(other);
    }
}

/* Channel 2 counts anew. */
static void start_pit(void)
{
    insn_out8(PIT_COMMAND, PIT_MODE_0);
    insn_out8(PIT_CHANNEL_2, UINT8_MAX);
    insn_out8(PIT_CHANNEL_2, UINT8_MAX);
}

/* TSC ticks a microsecond by the PIT, 0 if it does not run; and by the other clock. */
static uint64_t measure_pit_beside(struct counter *acpi)
{
    struct counter pit = {
        .read = read_pit, .port = PIT_CHANNEL_2, .mask = UINT16_MAX, .hertz = PIT_HERTZ};
    uint8_t gate = insn_in8(PIT_GATE);
    bool came_to_end = true; /* within the sample, so time was not counted */

    insn_out8(PIT_GATE, (uint8_t)((gate & ~GATE_SPEAKER) | GATE_ON));
    for (unsigned attempt = 0; attempt < ATTEMPTS && came_to_end; attempt++) {
        pit.rate = 0;
        start_pit();
        sample(&pit, acpi);
        acpi->read = NULL; /* once is enough */
        came_to_end = pit.rate != 0 && (insn_in8(PIT_GATE) & GATE_OUTPUT) != 0;
    }
    insn_out8(PIT_GATE, gate);
    return came_to_end ? 0 : pit.rate;
}

static struct counter acpi_timer(void)
{
    struct acpi_fadt fadt;
    struct counter timer = {.mask = PM_TIMER_MASK, .hertz = PM_TIMER_HERTZ};

    if (acpi_read_fadt(&fadt) != NULL || fadt.pm_timer == 0)
        return timer;
    timer.read = insn_in32;
    timer.port = fadt.pm_timer;
    return timer;
}

static bool roughly_equal(uint64_t a, uint64_t b)
{
    uint64_t difference = a > b ? a - b : b - a;

    return difference <= a / 20;
}

void time_init(void)
{
    struct counter timer = acpi_timer();
    uint64_t pit = measure_pit_beside(&timer), acpi = timer.rate;
    uint64_t enumerated = tsc_rate_of_this() / 1000000u;

    if (acpi != 0 && pit != 0 && roughly_equal(acpi, pit))
        format_string(source, sizeof(source), "ACPI timer and PIT agree");
    else if (acpi != 0 && pit != 0)
        format_string(source, sizeof(source), "by the ACPI timer; the PIT says %lu", pit);
    else if (acpi != 0)
        format_string(source, sizeof(source), "by the ACPI timer; the PIT does not run");
    else if (pit != 0)
        format_string(source, sizeof(source), "by the PIT; there is no ACPI timer");
    else if (enumerated != 0)
        format_string(source, sizeof(source), "by CPUID; neither ACPI timer nor PIT runs");
    else
        format_string(source, sizeof(source),
                      "assumed: neither ACPI timer nor PIT runs, and CPUID does not tell");
    is_known = acpi != 0 || pit != 0 || enumerated != 0;
    ticks_per_microsecond = acpi != 0         ? acpi
                            : pit != 0        ? pit
                            : enumerated != 0 ? enumerated
                                              : DEFAULT_TICKS;
}

bool time_rate_is_known(void)
{
    return is_known;
}

const char *time_source(void)
{
    return source;
}

uint64_t time_tsc_per_microsecond(void)
{
    return ticks_per_microsecond;
}

uint64_t time_now(void)
{
    return insn_rdtsc();
}

uint64_t time_microseconds_since(uint64_t start_tsc)
{
    return (time_now() - start_tsc) / ticks_per_microsecond;
}

uint64_t time_deadline_microseconds(uint64_t microseconds)
{
    return time_now() + microseconds * ticks_per_microsecond;
}

bool time_passed(uint64_t deadline_tsc)
{
    return (int64_t)(time_now() - deadline_tsc) >= 0;
}

struct wait time_wait(uint64_t microseconds)
{
    return wait_begin(microseconds, ticks_per_microsecond);
}

/*
 * Measures with short pieces of work. The fastest of many ran without interference, even if the
 * processor gets a hundredth of the time. The number that fits a longer time gives the percentage.
 * There are two kinds of work, because an emulator may compute quickly and reach devices slowly.
 */

#define PORT_B 0x61u /* system control port B of every PC; a read changes nothing */
#define ROUNDS 500u  /* microseconds, in an emulator too */
#define TRIES  1000u

/* For each kind: twice the usual scheduling period of hosts. */
#define MICROSECONDS 200000u

static void compute(void)
{
    for (volatile unsigned round = 0; round < ROUNDS; round++)
        ;
}

static void read_device(void)
{
    insn_in8(PORT_B);
}

static struct work {
    void (*piece)(void);
    uint64_t fastest; /* TSC ticks for one piece */
} works[] = {{.piece = compute}, {.piece = read_device}};

#define WORKS (sizeof(works) / sizeof(works[0]))

static uint64_t time_piece(const struct work *work)
{
    uint64_t start = time_now();

    work->piece();
    return time_now() - start;
}

void pace_init(void)
{
    for (size_t i = 0; i < WORKS; i++) {
        works[i].fastest = UINT64_MAX;
        for (unsigned tries = 0; tries < TRIES; tries++) {
            uint64_t ticks = time_piece(&works[i]);

            if (ticks < works[i].fastest)
                works[i].fastest = ticks;
        }
    }
}

static unsigned percent_of(const struct work *work)
{
    uint64_t start = time_now(), end = time_deadline_microseconds(MICROSECONDS);
    uint64_t pieces = 0, percent;

    for (; !time_passed(end); pieces++)
        time_piece(work);
    percent = pieces * work->fastest * 100 / (time_now() - start);
    return percent > 100 ? 100 : (unsigned)percent;
}

unsigned pace_percent(void)
{
    unsigned least = 100;

    for (size_t i = 0; i < WORKS; i++) {
        unsigned percent = percent_of(&works[i]);

        if (percent < least)
            least = percent;
    }
    return least;
}
