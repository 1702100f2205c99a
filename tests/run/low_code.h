/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that a starting processor executes from a copy at LOW_CODE: where things are then. */
#ifndef TESTS_RUN_LOW_CODE_H
#define TESTS_RUN_LOW_CODE_H

#include <stdint.h>
#include "tests/oracle/expected.h"

/* The linear address at which what lies here in the image is executed, in the code from start on.
 */
uint64_t low_code_address(const uint8_t *start, uint64_t address);

/* The truth of that code, at those addresses. Valid until the next call. */
const struct expected *low_code_expected(const uint8_t *start, const struct transfer *truth,
                                         const struct transfer *truth_end);

#endif
