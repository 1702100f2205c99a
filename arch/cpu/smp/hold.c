/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/smp/hold.h"
#include <stdint.h>
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/identity/models.h"
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

static bool frequency_is_held; /* by any processor */
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

    frequency_is_held = true;
    for (unsigned i = 0; i < SOURCES && frequency_matters(); i++)
        if (own[i] == UNTOUCHED)
            own[i] = hold(&sources[i]);
}

void frequency_release(void)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < SOURCES && frequency_is_held; i++) {
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

#define LEAF_EXTENDED       7u
#define ALWAYS_ABORT_BIT    11u /* of its EDX: transactions are permanently off */
#define TSX_FORCE_ABORT_BIT 13u /* … the register exists */

static bool abort_changed[PROCESSORS_MAX]; /* the bit was clear */
static bool abort_is_held, abort_is_refused, abort_is_set;

static bool enumerates(unsigned bit)
{
    return cpu_features()->identity.max_leaf >= LEAF_EXTENDED &&
           (insn_cpuid(LEAF_EXTENDED, 0).edx >> bit & 1);
}

static bool write_bit(uint64_t value, bool on)
{
    value = on ? value | TSX_FORCE_ABORT_RTM : value & ~TSX_FORCE_ABORT_RTM;
    return !exception_happened(wrmsr_safe(MSR_TSX_FORCE_ABORT, value));
}

void tsx_abort_hold(void)
{
    uint64_t value = 0;
    bool readable;

    if (!enumerates(TSX_FORCE_ABORT_BIT))
        return;
    readable = !exception_happened(rdmsr_safe(MSR_TSX_FORCE_ABORT, &value));
    if (readable && (value & TSX_FORCE_ABORT_RTM)) {
        abort_is_set = true;
    } else if (readable && write_bit(value, true)) {
        abort_changed[this_cpu()->index] = true;
        abort_is_held = abort_is_set = true;
    } else {
        abort_is_refused = true;
    }
}

bool tsx_abort_refused(void)
{
    return abort_is_refused;
}

bool tsx_abort_held(void)
{
    return abort_is_held;
}

bool transactions_always_abort(void)
{
    return abort_is_set || enumerates(ALWAYS_ABORT_BIT);
}

void tsx_abort_release(void)
{
    uint64_t value = 0;

    if (abort_changed[this_cpu()->index] &&
        !exception_happened(rdmsr_safe(MSR_TSX_FORCE_ABORT, &value)))
        write_bit(value, false);
    abort_changed[this_cpu()->index] = false;
}
