/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of every length stay inside of the code and take the smallest that holds them. What the
 * codes say is read by another's decoder: tests/host/test_qr.py. */
#include "kernel/screen/qr.h"

#include "tests/host/unit/check.h"

static struct qr qr;

static unsigned version_of(size_t length)
{
    unsigned version = 1;

    while (version <= QR_VERSIONS && qr_capacity(version) < length)
        version++;
    return version;
}

static void check_every_length(unsigned most)
{
    char text[300];

    for (size_t length = 0; length < sizeof(text); length++) {
        unsigned version = version_of(length);
        bool made;

        memset(text, 'x', length);
        text[length] = '\0';
        made = qr_encode(&qr, text, most);
        CHECK(made == (version <= most), "%zu bytes, version %u at most", length, most);
        CHECK(!made || qr.side == QR_SIDE(version), "%zu bytes: %u modules", length, qr.side);
    }
}

/* Byte mode at level L, from the standard's table of capacities. */
static void check_capacities(void)
{
    static const size_t expected[QR_VERSIONS] = {17, 32, 53, 78, 106, 134, 154, 192, 230};

    for (unsigned version = 1; version <= QR_VERSIONS; version++)
        CHECK(qr_capacity(version) == expected[version - 1], "version %u: %zu", version,
              qr_capacity(version));
}

/* A decoder corrects a few wrong ones: the 15 bits for level L and mask 0, from the standard's
 * table, from the upper left corner to the left and up, and once more below and to the right. */
static void check_format(void)
{
    static const char bits[] = "111011111000100";
    static const uint8_t places[15] = {0, 1, 2, 3, 4, 5, 7, 8, 7, 5, 4, 3, 2, 1, 0};

    CHECK(qr_encode(&qr, "some text", 1), "not made");
    for (unsigned i = 0; i < 15; i++) {
        bool dark = bits[i] == '1';
        unsigned along = places[i], last = qr.side - 1;

        CHECK((i < 8 ? qr.dark[8][along] : qr.dark[along][8]) == dark, "bit %u", i);
        CHECK((i < 7 ? qr.dark[last - i][8] : qr.dark[8][last - 14 + i]) == dark, "bit %u again",
              i);
    }
    CHECK(qr.dark[qr.side - 8][8], "the module that is always dark");
}

int main(void)
{
    check_capacities();
    check_format();
    for (unsigned most = 0; most <= QR_VERSIONS; most++)
        check_every_length(most);
    return check_result();
}
