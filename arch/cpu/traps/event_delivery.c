/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events are always delivered through the IDT. FRED (CPUID.07H.1:EAX[17]) is off after reset and
 * stays off (F25.17). Its effect on branch records is documented nowhere (F25.23), so the log says
 * that it was not tried.
 */
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/lib/printf.h"

#define LEAF_FEATURES   0x07u
#define FEATURES_1_FRED (1u << 17) /* EAX of sub-leaf 1 */

static bool has_fred(void)
{
    return cpu_features()->identity.max_leaf >= LEAF_FEATURES &&
           insn_cpuid(LEAF_FEATURES, 0).eax >= 1 &&
           (insn_cpuid(LEAF_FEATURES, 1).eax & FEATURES_1_FRED);
}

/* It is no feature that a test may need. */
static bool explain(enum feature feature, char *text, size_t size)
{
    (void)feature, (void)text, (void)size;
    return false;
}

static void describe(char *text, size_t size)
{
    format_string(text, size, "%s",
                  has_fred() ? "event delivery: through the IDT; FRED (CPUID.07H.1:EAX[17] = 1) is "
                               "off, CR4[32] = 0, and was not tested"
                             : "");
}

FEATURE_PROBER(event_delivery_prober, NULL, explain, describe);
