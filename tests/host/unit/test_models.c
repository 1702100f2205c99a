/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do the lists of models hold those that they are about, and their neighbours not? */
#include "arch/cpu/models.h"

#include "arch/cpu/features.h"
#include "check.h"
#include "one_processor.h"

bool identity_is_intel(const struct cpu_identity *identity)
{
    return identity->vendor[0] == 'G';
}

static void be(uint8_t model)
{
    cpu_features()->identity =
        (struct cpu_identity){.vendor = "GenuineIntel", .family = 6, .model = model};
}

static void test_far_overcount(void)
{
    static const uint8_t atoms[] = {0x37, 0x4c, 0x4d, 0x5c, 0x5f, 0x7a, 0x86, 0x96, 0x9c, 0xbe};

    for (size_t i = 0; i < sizeof atoms; i++) {
        be(atoms[i]);
        CHECK(model_overcounts_far(), "model %#x", atoms[i]);
    }
    be(0x5e);
    CHECK(!model_overcounts_far(), "Skylake");
    be(0x97);
    cpu_features()->identity.core = 0x20000001;
    CHECK(model_overcounts_far(), "E-core of Alder Lake");
    cpu_features()->identity.core = 0x40000001;
    CHECK(!model_overcounts_far(), "P-core of Alder Lake");
}

/* F21.19: the servers, whose TSX_CTRL may hide it, too; and clients with a server's core. */
static void test_rtm(void)
{
    static const uint8_t models[] = {0x3c, 0x4f, 0x55, 0x6a, 0x8f, 0xcf, 0xad, 0xae};

    for (size_t i = 0; i < sizeof models; i++) {
        be(models[i]);
        CHECK(model_has_rtm(), "model %#x", models[i]);
    }
    be(0x97);
    cpu_features()->identity.core = 0x40000001;
    CHECK(model_has_rtm(), "P-core of Alder Lake");
    cpu_features()->identity.core = 0x20000001;
    CHECK(!model_has_rtm(), "E-core of Alder Lake");
    be(0x3a);
    CHECK(!model_has_rtm(), "Ivy Bridge");
}

static void test_other_vendors(void)
{
    be(0x5c);
    cpu_features()->identity.vendor[0] = 'A';
    CHECK(!model_overcounts_far(), "another vendor's numbers");
    be(0x5c);
    cpu_features()->identity.family = 18;
    CHECK(!model_overcounts_far(), "another family's numbers");
}

int main(void)
{
    test_far_overcount();
    test_rtm();
    test_other_vendors();
    return check_result();
}
