/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an SMI is told by: an address at which this kernel has no code, and a change of
 * IA32_DEBUGCTL. */
#ifndef TESTS_SUITES_MODES_SMM_TOLD_H
#define TESTS_SUITES_MODES_SMM_TOLD_H

#include "arch/cpu/memory/page_tables.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"

static inline bool is_ours(uint64_t address)
{
    const struct map_region *region = kernel_map_find(address);

    return region && region->executable;
}

/* Returns whether an erratum explains it. */
static inline bool find_debugctl(struct test_context *t, uint64_t was, uint64_t is)
{
    char before[160], after[160];

    return test_find_as(t, &(struct finding){.kind = FINDING_MSR_VALUE, .expected = was, .got = is},
                        "IA32_DEBUGCTL was %s before the SMI and is %s after it",
                        debugctl_format(was, before, sizeof before),
                        debugctl_format(is, after, sizeof after));
}

#endif
