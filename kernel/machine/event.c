/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/event.h"

#include "arch/cpu/ground/exception.h"
#include "arch/cpu/memory/stacks.h"
#include "arch/lib/printf.h"

#define EXCEPTIONS 32u
#define NAME_SIZE  96u

char *event_format_name(uint64_t vector, uint64_t error_code, uint64_t cr2, char *text, size_t size)
{
    const char *name = exception_name((struct exception){.vector = (uint8_t)vector});

    if (vector >= EXCEPTIONS)
        format_string(text, size, "interrupt (vector %lu)", vector);
    else if (vector == VECTOR_NMI)
        format_string(text, size, "NMI");
    else if (vector == VECTOR_PF)
        format_string(text, size, "%s (vector %lu, error code 0x%lx, CR2 0x%lx)", name, vector,
                      error_code, cr2);
    else
        format_string(text, size, "%s (vector %lu, error code 0x%lx)", name, vector, error_code);
    return text;
}

/* A stack overflow hits the guard page, and its #PF finds no stack, so #DF at a guard page means
 * overflow. */
char *event_format(const struct trap_frame *frame, uint64_t cr2, unsigned processor, char *text,
                   size_t size)
{
    const char *guard = frame->vector == VECTOR_DF ? stack_guard_name(cr2) : NULL;
    char overflow[NAME_SIZE] = "";
    char name[NAME_SIZE];

    if (guard != NULL)
        format_string(overflow, sizeof(overflow), ", the %s stack overflowed (CR2 0x%lx),", guard,
                      cr2);
    format_string(text, size, "unexpected %s%s at %pS in ring %lu on processor %u",
                  event_format_name(frame->vector, frame->error_code, cr2, name, sizeof(name)),
                  overflow, (void *)frame->rip, frame->cs & 3, processor);
    return text;
}
