/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/host_check.h"
#include <stddef.h>
#include "arch/cpu/ground/exception.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/traps/user.h"
#include "arch/lib/printf.h"

#define ROUNDS    16u
#define TEXT_SIZE 224u

void host_check_syscall(void); /* host_check.S */
void host_check_sled(void);
void host_check_split(void);

static const struct piece {
    const char *what;
    void (*entry)(void);
    uint64_t added; /* to its argument */
} pieces[] = {
    {"SYSCALL from ring 3 to an entry in a page of ring 0", host_check_syscall, 0},
    {"instructions of ring 3 on both sides of the end of a page", host_check_sled, 16},
    {"an instruction of ring 3 across the end of a page", host_check_split, 0x1234567890},
};

#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

static bool is_right(const struct user_result *result, uint64_t expected)
{
    return !exception_happened(result->exception) && result->rax == expected;
}

static const char *tell(const struct piece *piece, const struct user_result *result, unsigned wrong)
{
    static char text[TEXT_SIZE];
    format_string(text, sizeof(text),
                  "the hypervisor does not do what every processor does: %s: %s, error code %#x, "
                  "CR2 %#lx, RAX %#lx; wrong %u of %u times",
                  piece->what, exception_name(result->exception), result->exception.error_code,
                  result->fault_address, result->rax, wrong, ROUNDS);
    return text;
}

static const char *check(const struct piece *piece)
{
    struct user_result last = {{0}, 0, 0};
    unsigned wrong = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        enum user_entry how = round % 2 ? USER_ENTRY_SYSRET : USER_ENTRY_IRET;
        struct user_result result = user_run(how, piece->entry, round);
        if (is_right(&result, round + piece->added))
            continue;
        last = result;
        wrong++;
    }
    return wrong > 0 ? tell(piece, &last, wrong) : NULL;
}

const char *host_check(void)
{
    const char *why = NULL;
    if (!feature_present(FEATURE_SYSCALL))
        return NULL;
    for (size_t i = 0; i < PIECES && why == NULL; i++)
        why = check(&pieces[i]);
    return why;
}
