/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for an unexpected exception or interrupt, the same in every report. */
#ifndef KERNEL_MACHINE_EVENT_H
#define KERNEL_MACHINE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/cpu/traps/trap_frame.h"

#define EVENT_TEXT_SIZE 256u
#define CRASH_DEPTH     25u

/*
 * "unexpected #PF (vector 14, error code 0x2, CR2 0x1000) at f+0x3 in ring 0 on processor 1". The
 * common entry saved the frame; cr2 is printed only if the event sets it. Returns text.
 */
char *event_format(const struct trap_frame *frame, uint64_t cr2, unsigned processor, char *text,
                   size_t size);

/* Only the event: "#PF (vector 14, error code 0x2, CR2 0x1000)". Returns text. */
char *event_format_name(uint64_t vector, uint64_t error_code, uint64_t cr2, char *text,
                        size_t size);

/* What is known of a run that crashed (kernel/exit.h). */
struct crash {
    char reason[EVENT_TEXT_SIZE];
    const char *test; /* running test, or NULL */
    bool has_frame;   /* if not, frame and control registers are invalid */
    struct trap_frame frame;
    uint64_t cr0, cr2, cr3, cr4;
    uint64_t backtrace[CRASH_DEPTH]; /* innermost first */
    unsigned depth;
};

#endif
