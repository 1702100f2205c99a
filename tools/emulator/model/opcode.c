// SPDX-License-Identifier: GPL-2.0-or-later
#include "opcode.h"

#define REP          0xf3
#define REPNE        0xf2
#define PREFIXES_MAX 14

#define IRET        0xcf
#define RETF        0xcb
#define RETF_POP    0xca
#define CALL_FAR    0x9a
#define JMP_FAR     0xea
#define GROUP_5     0xff /* by bits 5:3 of the next byte: */
#define CALL_FAR_5  3
#define JMP_FAR_5   5
#define MODRM_SHIFT 3

static bool is_prefix(const struct ds_cpu *cpu, uint8_t byte)
{
    switch (byte) {
    case REP:
    case REPNE:
    case 0x66: /* operand size, address size, segments */
    case 0x67:
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
        return true;
    default:
        return cpu->long_mode_active && byte >> 4 == 4; /* REX */
    }
}

uint64_t opcode_place(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t address,
                      uint8_t *byte, bool *repeated)
{
    *repeated = false;
    for (unsigned i = 0; i <= PREFIXES_MAX; i++, address++) {
        if (!host->read(host->opaque, address, byte, 1)) {
            *byte = 0;
        }
        if (!is_prefix(cpu, *byte)) {
            break;
        }
        *repeated |= *byte == REP || *byte == REPNE;
    }
    return address;
}

uint8_t opcode_at(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t address,
                  bool *repeated)
{
    uint8_t byte;

    opcode_place(cpu, host, address, &byte, repeated);
    return byte;
}

bool opcode_is_far(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t address)
{
    uint8_t byte, modrm;
    bool repeated;
    uint64_t place = opcode_place(cpu, host, address, &byte, &repeated);

    switch (byte) {
    case IRET:
    case RETF:
    case RETF_POP:
    case CALL_FAR:
    case JMP_FAR:
        return true;
    case GROUP_5:
        break;
    default:
        return false;
    }
    if (!host->read(host->opaque, place + 1, &modrm, 1)) {
        return false;
    }
    unsigned which = modrm >> MODRM_SHIFT & 7;

    return which == CALL_FAR_5 || which == JMP_FAR_5;
}
