/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses in the copy at LOW_CODE of code that a starting processor executes. */
#ifndef TESTS_RUN_LOW_CODE_H
#define TESTS_RUN_LOW_CODE_H

#include <stdint.h>
#include "tests/spec/expected.h"

/* Translates `address`, in the image, to the linear address in the copy. start: where the code
 * begins in the image. */
uint64_t low_code_address(const uint8_t *start, uint64_t address);

/* The truth of the code at `start`, with addresses in the copy. Valid until the next call. */
const struct expected *low_code_expected(const uint8_t *start, const struct transfer *truth,
                                         const struct transfer *truth_end);

#endif
