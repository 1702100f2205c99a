/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/workloads/workload.h"

static const char *const names[TRANSFER_KINDS] = {
    [TRANSFER_JMP] = "JMP",
    [TRANSFER_JMP_INDIRECT] = "JMP indirect",
    [TRANSFER_JCC] = "Jcc",
    [TRANSFER_LOOP] = "LOOP",
    [TRANSFER_JRCXZ] = "JRCXZ",
    [TRANSFER_CALL] = "CALL",
    [TRANSFER_CALL_INDIRECT] = "CALL indirect",
    [TRANSFER_RET] = "RET",
    [TRANSFER_INT] = "INT n",
    [TRANSFER_IRET] = "IRET",
    [TRANSFER_SYSCALL] = "SYSCALL",
    [TRANSFER_SYSRET] = "SYSRET",
    [TRANSFER_INTERRUPT] = "interrupt",
    [TRANSFER_EXCEPTION] = "exception",
    [TRANSFER_FAR_JMP] = "far JMP",
    [TRANSFER_FAR_CALL] = "far CALL",
    [TRANSFER_FAR_RET] = "far RET",
    [TRANSFER_INT3] = "INT3",
    [TRANSFER_INTO] = "INTO",
    [TRANSFER_INT1] = "INT1",
    [TRANSFER_DEBUG] = "debug exception",
    [TRANSFER_SYSENTER] = "SYSENTER",
    [TRANSFER_SYSEXIT] = "SYSEXIT",
    [TRANSFER_ABORT] = "transaction abort",
    [TRANSFER_CODE_BREAK] = "instruction breakpoint",
    [TRANSFER_DATA_BREAK] = "data breakpoint",
    [TRANSFER_REAL_INT] = "INT n in real-address mode",
};

const char *transfer_kind_name(uint32_t kind)
{
    return kind < TRANSFER_KINDS ? names[kind] : "unknown transfer";
}

bool transfer_is_debug_exception(uint32_t kind)
{
    return kind == TRANSFER_INT1 || kind == TRANSFER_DEBUG || kind == TRANSFER_CODE_BREAK ||
           kind == TRANSFER_DATA_BREAK;
}
