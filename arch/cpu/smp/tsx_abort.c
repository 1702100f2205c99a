/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/smp/tsx_abort.h"

#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"

#define LEAF_EXTENDED       7u
#define ALWAYS_ABORT_BIT    11u /* of its EDX: transactions are permanently off */
#define TSX_FORCE_ABORT_BIT 13u /* … the register exists */

static bool changed[PROCESSORS_MAX]; /* the bit was clear */
static bool is_held, is_refused, is_set;

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
        is_set = true;
    } else if (readable && write_bit(value, true)) {
        changed[this_cpu()->index] = true;
        is_held = is_set = true;
    } else {
        is_refused = true;
    }
}

bool tsx_abort_refused(void)
{
    return is_refused;
}

bool tsx_abort_held(void)
{
    return is_held;
}

bool transactions_always_abort(void)
{
    return is_set || enumerates(ALWAYS_ABORT_BIT);
}

void tsx_abort_release(void)
{
    uint64_t value = 0;

    if (changed[this_cpu()->index] && !exception_happened(rdmsr_safe(MSR_TSX_FORCE_ABORT, &value)))
        write_bit(value, false);
    changed[this_cpu()->index] = false;
}
