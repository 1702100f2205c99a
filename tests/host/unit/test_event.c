/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every vector is printed with all that the processor said about it. */
#include "kernel/machine/event.h"

#include "arch/cpu/memory/stacks.h"
#include "tests/host/unit/check.h"

#define GUARD 0xffff800000005000ull

const char *stack_guard_name(uint64_t address)
{
    return address == GUARD ? "kernel" : NULL;
}

static const char *told(uint64_t vector, uint64_t error_code, uint64_t cr2, unsigned ring)
{
    static char text[EVENT_TEXT_SIZE];
    const struct trap_frame frame = {
        .vector = vector, .error_code = error_code, .rip = 0x1234, .cs = 0x28 | ring};

    return event_format(&frame, cr2, 3, text, sizeof(text));
}

static void check_words(void)
{
    CHECK_TEXT(told(14, 2, 0x7ffffff000, 0),
               "unexpected #PF (vector 14, error code 0x2, CR2 0x7ffffff000) at "
               "0x0000000000001234 in ring 0 on processor 3");
    CHECK_TEXT(told(13, 0x1230, 0x5555, 3),
               "unexpected #GP (vector 13, error code 0x1230) at 0x0000000000001234 in ring 3 on "
               "processor 3");
    CHECK_TEXT(told(2, 0, 0x5555, 0),
               "unexpected NMI at 0x0000000000001234 in ring 0 on processor 3");
    CHECK_TEXT(told(0x31, 0, 0x5555, 0),
               "unexpected interrupt (vector 49) at 0x0000000000001234 in ring 0 on processor 3");
    CHECK_TEXT(told(8, 0, GUARD, 0),
               "unexpected #DF (vector 8, error code 0x0), the kernel stack overflowed (CR2 "
               "0xffff800000005000), at 0x0000000000001234 in ring 0 on processor 3");
    CHECK_TEXT(told(8, 0, GUARD + 1, 0),
               "unexpected #DF (vector 8, error code 0x0) at 0x0000000000001234 in ring 0 on "
               "processor 3");
}

/* CR2 belongs to #PF alone, the error code to exceptions alone; place and processor to all. */
static void check_every_vector(void)
{
    char vector[32];

    for (unsigned i = 0; i < 256; i++) {
        const char *text = told(i, 0xabc, 0xc2c2, i & 3);

        snprintf(vector, sizeof(vector), "(vector %u", i);
        CHECK(i == 2 || strstr(text, vector) != NULL, "%u: '%s'", i, text);
        CHECK((strstr(text, "error code 0xabc") != NULL) == (i < 32 && i != 2), "%u: '%s'", i,
              text);
        CHECK((strstr(text, "CR2 0xc2c2") != NULL) == (i == 14), "%u: '%s'", i, text);
        CHECK(strstr(text, " on processor 3") != NULL, "%u: '%s'", i, text);
        CHECK(text[strlen(text) - strlen("3 on processor 3")] == (char)('0' + (i & 3)), "'%s'",
              text);
    }
}

int main(void)
{
    check_words();
    check_every_vector();
    return check_result();
}
