/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables and pointers for code in protected mode while IA-32e mode is off. */
#ifndef TESTS_RUN_PROTECTED_CODE_H
#define TESTS_RUN_PROTECTED_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/workloads/modes/protected_mode.h"

/* Fills in what such code needs: its tables, its entry and its exit. */
struct protected_mode_data *protected_code_prepare(const uint8_t *code, const uint8_t *enter,
                                                   const uint8_t *leave, const uint8_t *back);

/* A far pointer to a label of the code that begins at `start`, through a segment with this base. */
struct protected_far_pointer protected_code_pointer(const uint8_t *start, const uint8_t *label,
                                                    uint16_t selector, uint32_t base);

/* A gate of the interrupt descriptor table to 32-bit code at this linear address. With the bits of
 * PROTECTED_GATE_OPEN INT n may use it in every ring. */
uint64_t protected_code_gate(uint64_t offset);
#define PROTECTED_GATE_OPEN (3ull << 45)

/* The same for the code that writes a list of registers, which is empty yet, and its handler of
 * #GP. */
struct protected_mode_data *protected_code_list(void);

/* Adds a register to the list: PROTECTED_REGISTERS_MAX at most. */
void protected_code_add(struct protected_mode_data *data, uint32_t number, uint64_t value);

/* Writes the list on processor 1, from start-up on. False after a test_fail() if it did not start;
 * a refused register fails the test too. */
bool protected_code_write(struct test_context *t, const struct protected_mode_data *data);

#endif
