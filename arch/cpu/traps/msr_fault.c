/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/interrupts.h"
#include <stddef.h>
#include "arch/cpu/traps/descriptors.h"

#define OPCODE_ESCAPE 0x0fu
#define OPCODE_WRMSR  0x30u
#define OPCODE_RDMSR  0x32u
#define OPCODE_RDPMC  0x33u

static msr_fault_handler handler;

void msr_fault_set_handler(msr_fault_handler wanted)
{
    handler = wanted;
}

/* The executing code may be unreadable; then the exception is no refusal. */
static uint8_t byte_at(uint64_t address)
{
    uint8_t byte = 0;
    probe_read((const void *)(uintptr_t)address, &byte);
    return byte;
}

/* The byte after 0FH; none of our instructions has a prefix. NULL: none of the three. */
static const char *name_of(uint8_t opcode)
{
    switch (opcode) {
    case OPCODE_WRMSR:
        return "WRMSR";
    case OPCODE_RDMSR:
        return "RDMSR";
    case OPCODE_RDPMC:
        return "RDPMC";
    default:
        return NULL;
    }
}

/* #UD if the processor lacks the instruction. */
static bool is_refused(const struct trap_frame *frame)
{
    return frame->cs == SELECTOR_KERNEL_CODE &&
           (frame->vector == VECTOR_GP || frame->vector == VECTOR_UD);
}

bool msr_fault_handle(struct trap_frame *frame, bool goes_on)
{
    uint8_t opcode;
    struct msr_fault fault = {
        .number = (uint32_t)frame->rcx,
        .value = frame->rdx << 32 | (uint32_t)frame->rax,
        .place = frame->rip,
        .exception = {(uint8_t)frame->vector, (uint32_t)frame->error_code},
    };

    if (handler == NULL || !is_refused(frame))
        return false;
    opcode = byte_at(frame->rip) == OPCODE_ESCAPE ? byte_at(frame->rip + 1) : 0;
    fault.instruction = name_of(opcode);
    fault.writes = opcode == OPCODE_WRMSR;
    return fault.instruction != NULL && handler(frame, &fault, goes_on);
}
