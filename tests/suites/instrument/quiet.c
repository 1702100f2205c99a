/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a quiet processor is: tracing, counting and their interrupt all off (F14.16). */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/traps/debug.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/apic/unclaimed.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/pmi.h"
#include "arch/trace/pmu.h"
#include "arch/trace/trace_state.h"
#include "arch/lib/printf.h"
#include "kernel/report/test.h"

static bool debugctl_is_quiet(char *why, size_t size)
{
    uint64_t value = debugctl_read();
    char names[128];

    if (value)
        format_string(why, size, "IA32_DEBUGCTL = %s", debugctl_format(value, names, sizeof names));
    return !value;
}

QUIET_CHECK(debugctl, debugctl_is_quiet, debugctl_clear);

static bool breakpoints_are_quiet(char *why, size_t size)
{
    if (!debug_breakpoints_are_off())
        format_string(why, size, "a breakpoint is on in DR7");
    return debug_breakpoints_are_off();
}

QUIET_CHECK(breakpoints, breakpoints_are_quiet, debug_breakpoints_clear);

/* Without PEBS reading may fault, which is quiet. Firmware may leave it set where PEBS is not used
 * (F25.5), and a counter that samples sets no overflow bit. */
static uint64_t pebs_enabled(void)
{
    uint64_t value = 0;

    if (feature_present(FEATURE_DS) && cpu_features()->misc_enable_readable &&
        !(cpu_features()->misc_enable & MISC_ENABLE_PEBS_UNAVAILABLE))
        rdmsr_safe(IA32_PEBS_ENABLE, &value);
    return value;
}

static bool pebs_is_quiet(char *why, size_t size)
{
    uint64_t value = pebs_enabled();

    if (value)
        format_string(why, size, "IA32_PEBS_ENABLE = %#lx", value);
    return !value;
}

/* No write that is not needed where errata warn of it. */
static void stop_pebs(void)
{
    if (feature_present(FEATURE_PEBS) || pebs_enabled())
        wrmsr_safe(IA32_PEBS_ENABLE, 0);
}

QUIET_CHECK(pebs, pebs_is_quiet, stop_pebs);

static bool arch_pebs_is_quiet(char *why, size_t size)
{
    bool is_off = !feature_present(FEATURE_PEBS_ARCH) || pebs_arch_is_off();

    if (!is_off)
        format_string(why, size, "architectural PEBS is on, or asked for by a counter's CFG_C");
    return is_off;
}

static void stop_arch_pebs(void)
{
    if (feature_present(FEATURE_PEBS_ARCH))
        pebs_arch_stop();
}

QUIET_CHECK(arch_pebs, arch_pebs_is_quiet, stop_arch_pebs);

QUIET_CHECK(counters, pmu_is_quiet, pmu_reset);

static bool buffers_are_home(char *why, size_t size)
{
    if (trace_has_moved())
        format_string(why, size, "the DS save area is not in its usual place");
    return !trace_has_moved();
}

QUIET_CHECK(buffers, buffers_are_home, trace_move_back);

/* Only processor 0 asks: the others do not see each other. */
static bool others_are_quiet(char *why, size_t size)
{
    for (unsigned i = 1; this_cpu()->index == 0 && i < processor_count(); i++) {
        if (processor_is_started(i)) {
            format_string(why, size, "processor %u was started and not stopped", i);
            return false;
        }
    }
    return true;
}

static void stop_others(void)
{
    for (unsigned i = 1; this_cpu()->index == 0 && i < processor_count(); i++)
        processor_stop(i);
}

QUIET_CHECK(other_processors, others_are_quiet, stop_others);

static bool lvt_is_quiet(char *why, size_t size)
{
    if (apic_mode() == APIC_MODE_ABSENT || apic_pmi_is_masked())
        return true;
    format_string(why, size, "LVT performance entry = %#x, not masked", apic_pmi_raw());
    return false;
}

QUIET_CHECK(lvt, lvt_is_quiet, pmi_stop);

/* If the board raises NMIs by itself, their source is unknown. */
static bool nmis_are_quiet(char *why, size_t size)
{
    size_t unclaimed = unclaimed_come_at(VECTOR_NMI) ? 0 : pmi_unclaimed_nmis();

    if (unclaimed)
        format_string(why, size, "%zu NMIs without a cause after performance interrupts",
                      unclaimed);
    return !unclaimed;
}

QUIET_CHECK(nmis, nmis_are_quiet, pmi_forget_nmis);
