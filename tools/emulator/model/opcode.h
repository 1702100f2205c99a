// SPDX-License-Identifier: GPL-2.0-or-later
/* Which instruction is at an address, as far as the model needs it. */
#ifndef OPCODE_H
#define OPCODE_H

#include "debug_store.h"

/* Address of the first byte that is no prefix. *byte: that byte, or 0 if it cannot be read;
 * *repeated: a REP prefix precedes it. */
uint64_t opcode_place(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t address,
                      uint8_t *byte, bool *repeated);

/* The opcode without prefixes, or 0 if it cannot be read; *repeated: there is a REP prefix. */
uint8_t opcode_at(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t address,
                  bool *repeated);

/* Is the instruction a far CALL, JMP or RET, or an IRET? */
bool opcode_is_far(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t address);

#endif
