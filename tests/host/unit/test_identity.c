/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are family and model computed as the manual says, and only NetBurst taken for NetBurst? */
#include "arch/cpu/identity/identity.h"

#include "arch/cpu/ground/msr.h"
#include "check.h"

struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    (void)number, (void)value;
    return (struct exception){.vector = EXCEPTION_NO_VECTOR};
}

struct exception wrmsr_safe(uint32_t number, uint64_t value)
{
    (void)number, (void)value;
    return (struct exception){.vector = EXCEPTION_NO_VECTOR};
}

/* DisplayFamily and DisplayModel: extended bits count with base family 0FH, or 6 (F1.3). */
static const struct {
    const char *what;
    uint32_t signature, family, model, stepping;
} rows[] = {
    {"Core Duo", 0x006e8, 6, 0x0e, 8},
    {"Skylake", 0x506e3, 6, 0x5e, 3},
    {"Pentium 4", 0x00f29, 15, 0x02, 9},
    {"Pentium 4, model 6", 0x00f64, 15, 0x06, 4},
    {"an Atom above 0FFH", 0xb06d1, 6, 0xbd, 1},
    {"486", 0x00480, 4, 0x08, 0},
    {"family 18", 0x300f10, 18, 0x01, 0},
    {"family 18, model 3", 0x300f31, 18, 0x03, 1},
    {"family 19", 0x400f12, 19, 0x01, 2},
    {"family 19, model 41H", 0x440f10, 19, 0x41, 0},
    {"base 6 has no extended family", 0x400660, 6, 0x06, 0},
};

static void test_signatures(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cpu_identity identity = {0};

        identity_decode_signature(&identity, rows[i].signature);
        CHECK(identity.family == rows[i].family && identity.model == rows[i].model &&
                  identity.stepping == rows[i].stepping && identity.signature == rows[i].signature,
              "%s: family %u model %#x stepping %u", rows[i].what, identity.family, identity.model,
              identity.stepping);
    }
}

int main(void)
{
    test_signatures();
    return check_result();
}
