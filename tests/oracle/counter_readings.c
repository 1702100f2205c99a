/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/counter_readings.h"

#include "arch/cpu/interrupts.h"
#include "arch/cpu/msr.h"
#include "arch/lib/string.h"

static const char *answers[COUNTER_READINGS]; /* NULL: not seen yet */

const char *write_outcome_text(enum write_outcome outcome)
{
    static const char *const texts[WRITE_OUTCOMES] = {
        [WRITE_STUCK] = "it holds what was written",
        [WRITE_DROPPED] = "dropped",
        [WRITE_FAULTED] = "#GP",
    };

    return texts[outcome];
}

enum write_outcome write_and_look(struct test_context *t, const char *name, uint32_t number,
                                  uint64_t value)
{
    uint64_t before = 0, after = 0;
    struct exception exception;

    EXPECT(t, MSR_REFUSES, !exception_happened(rdmsr_safe(number, &before)), "reading %s faults",
           name);
    exception = wrmsr_safe(number, value);
    rdmsr_safe(number, &after);
    if (!exception_happened(exception))
        return after == value ? WRITE_STUCK : WRITE_DROPPED;
    EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
           "writing %#lx to %s: %s with error code %#x, expected #GP with 0", value, name,
           exception_name(exception), exception.error_code);
    EXPECT(t, MSR_VALUE, after == before, "%s changed from %#lx to %#lx by a write that faulted",
           name, before, after);
    return WRITE_FAULTED;
}

void counter_reading_hold(struct test_context *t, enum counter_reading reading, const char *what,
                          const char *answer)
{
    if (!answers[reading]) {
        answers[reading] = answer;
        test_observe(t, "%s: %s", what, answer);
    }
    EXPECT(t, CHOICE, strcmp(answers[reading], answer) == 0,
           "%s: %s, although it was seen before: %s", what, answer, answers[reading]);
}
