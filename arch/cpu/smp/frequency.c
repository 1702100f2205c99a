/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/smp/frequency.h"

#include <stdint.h>
#include "arch/cpu/identity/models.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/lib/printf.h"

struct source {
    const char *name;
    uint64_t bit;
    uint32_t number;
    bool is_on; /* value of the bit that allows changes */
};

static const struct source sources[] = {
    {"turbo", MISC_ENABLE_TURBO_DISABLE, IA32_MISC_ENABLE, false},
    {"SpeedStep", MISC_ENABLE_SPEEDSTEP, IA32_MISC_ENABLE, true},
    {"C1E", POWER_CTL_C1E, MSR_POWER_CTL, true},
    {"clock modulation", CLOCK_MODULATION_ENABLE, IA32_CLOCK_MODULATION, true},
};

#define SOURCES (sizeof sources / sizeof sources[0])

enum state { UNTOUCHED, WAS_OFF, ABSENT, REFUSED, HELD };

static bool is_held; /* by any processor */
static enum state states[PROCESSORS_MAX][SOURCES];

bool frequency_matters(void)
{
    return core_has(MINDS_FREQUENCY);
}

static bool is_on(const struct source *source, uint64_t value)
{
    return !(value & source->bit) != source->is_on;
}

static bool turn(const struct source *source, uint64_t value, bool on)
{
    uint64_t found = 0;

    value = on == source->is_on ? value | source->bit : value & ~source->bit;
    return !exception_happened(wrmsr_safe(source->number, value)) &&
           !exception_happened(rdmsr_safe(source->number, &found)) && is_on(source, found) == on;
}

static enum state hold(const struct source *source)
{
    uint64_t value = 0;

    if (exception_happened(rdmsr_safe(source->number, &value)))
        return ABSENT;
    if (!is_on(source, value))
        return WAS_OFF;
    return turn(source, value, false) ? HELD : REFUSED;
}

void frequency_hold(void)
{
    enum state *own = states[this_cpu()->index];

    is_held = true;
    for (unsigned i = 0; i < SOURCES && frequency_matters(); i++)
        if (own[i] == UNTOUCHED)
            own[i] = hold(&sources[i]);
}

void frequency_release(void)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < SOURCES && is_held; i++) {
        enum state *own = states[this_cpu()->index];

        if (own[i] == HELD && !exception_happened(rdmsr_safe(sources[i].number, &value)))
            turn(&sources[i], value, true);
        own[i] = UNTOUCHED;
    }
}

char *frequency_describe(char *text, size_t size)
{
    static const char *const words[] = {
        [UNTOUCHED] = "untouched", [WAS_OFF] = "off already",    [ABSENT] = "not there",
        [REFUSED] = "still on",    [HELD] = "off until the end",
    };

    text[0] = '\0';
    for (unsigned i = 0; i < SOURCES; i++)
        format_append(text, size, "%s%s %s", i ? ", " : "", sources[i].name,
                      words[states[this_cpu()->index][i]]);
    return text;
}
