/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/low_code.h"

#include "arch/cpu/smp/processors.h"

static struct expected expected;

uint64_t low_code_address(const uint8_t *start, uint64_t address)
{
    return address - (uint64_t)(uintptr_t)start + processor_low_address() + LOW_CODE;
}

const struct expected *low_code_expected(const uint8_t *start, const struct transfer *truth,
                                         const struct transfer *truth_end)
{
    expected.count = 0;
    for (const struct transfer *row = truth; row < truth_end; row++) {
        struct transfer transfer = *row;

        transfer.from = low_code_address(start, row->from);
        transfer.to = low_code_address(start, row->to);
        if (row->from_next)
            transfer.from_next = low_code_address(start, row->from_next);
        expected.records[expected.count++] = (struct expected_record){.transfer = transfer};
    }
    return &expected;
}
