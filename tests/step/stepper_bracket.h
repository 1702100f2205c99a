/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steppers' bracket sets TF right before the CALL and clears it right after the RET. */
#ifndef TESTS_STEP_STEPPER_BRACKET_H
#define TESTS_STEP_STEPPER_BRACKET_H

/* Offsets of struct stepper_bracket, for stepper_bracket.S. */
#define STEPPER_BRACKET_ON       0
#define STEPPER_BRACKET_ENTRY    8
#define STEPPER_BRACKET_ARGUMENT 16
#define STEPPER_BRACKET_FLAGS    24
#define STEPPER_BRACKET_FOUND    32
#define STEPPER_BRACKET_SIZE     40

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

struct stepper_bracket {
    uint64_t on; /* IA32_DEBUGCTL while the entry runs, then cleared; 0: not written at all */
    void (*entry)(void);
    uint64_t argument; /* RDI at the entry */
    uint64_t flags;    /* ORed to RFLAGS: TF */
    uint64_t found;    /* result: IA32_DEBUGCTL at the end, if `on` is not 0 */
};

_Static_assert(offsetof(struct stepper_bracket, flags) == STEPPER_BRACKET_FLAGS, "assembly");
_Static_assert(sizeof(struct stepper_bracket) == STEPPER_BRACKET_SIZE, "assembly");

/* Fails the test if the processor refuses a value. If it refuses `on`, the entry is not called. */
void stepper_bracket_run(struct stepper_bracket *bracket);

/* The CALL and where it returns to, in place of bracket_call and bracket_return; the bracket's
 * end. */
extern const char stepper_bracket_call[], stepper_bracket_return[], stepper_bracket_end[];

#endif
#endif
