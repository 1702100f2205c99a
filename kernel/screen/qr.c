/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses byte mode and error correction level L, which is enough for a screen. Up to version 9 all
 * blocks of a code have the same length, and the text's length is one byte.
 */
#include "kernel/screen/qr.h"

#include "arch/lib/string.h"

#define LEVEL_L         1u /* its code in the format information */
#define MASK            0u /* the one of eight that inverts every other module */
#define MODE_BYTES      4u
#define CODEWORDS_MAX   292u
#define CHECK_MAX       30u
#define FIELD           0x11du /* x^8 + x^4 + x^3 + x^2 + 1, of the field with 256 elements */
#define FORMAT_CODE     0x537u
#define FORMAT_MASK     0x5412u
#define VERSION_CODE    0x1f25u
#define TIMING          6u /* row and column of the two lines of alternating modules */
#define FIRST_ALIGNMENT 2u /* version */
#define FIRST_TOLD      7u /* first version that the code states */

static const struct {
    uint16_t codewords; /* in all */
    uint8_t check;      /* check codewords of each block */
    uint8_t blocks;
} versions[QR_VERSIONS + 1] = {{0, 0, 0},    {26, 7, 1},   {44, 10, 1},  {70, 15, 1},
                               {100, 20, 1}, {134, 26, 1}, {172, 18, 2}, {196, 20, 2},
                               {242, 24, 2}, {292, 30, 2}};

static unsigned data_codewords(unsigned version)
{
    return versions[version].codewords - versions[version].check * versions[version].blocks;
}

/* Four bits of mode and eight of length come first. */
size_t qr_capacity(unsigned version)
{
    return data_codewords(version) - 2;
}

/* --- codewords --- */

static uint8_t multiply(uint8_t a, uint8_t b)
{
    unsigned product = 0;

    for (unsigned bit = 0x80; bit; bit >>= 1) {
        product = product << 1 ^ (product & 0x80 ? FIELD : 0);
        product ^= b & bit ? a : 0;
    }
    return (uint8_t)product;
}

/* The generator, a product of (x - 2^i), without its leading coefficient 1. */
static void make_generator(uint8_t *generator, unsigned degree)
{
    uint8_t root = 1;

    memset(generator, 0, degree);
    generator[degree - 1] = 1;
    for (unsigned i = 0; i < degree; i++, root = multiply(root, 2)) {
        for (unsigned j = 0; j < degree; j++)
            generator[j] = multiply(generator[j], root) ^ (j + 1 < degree ? generator[j + 1] : 0);
    }
}

/* Reed-Solomon: the remainder of the data divided by the generator. */
static void make_check(const uint8_t *data, unsigned length, uint8_t *check, unsigned degree)
{
    uint8_t generator[CHECK_MAX];

    make_generator(generator, degree);
    memset(check, 0, degree);
    for (unsigned i = 0; i < length; i++) {
        uint8_t factor = data[i] ^ check[0];

        memmove(check, check + 1, degree - 1);
        check[degree - 1] = 0;
        for (unsigned j = 0; j < degree; j++)
            check[j] ^= multiply(generator[j], factor);
    }
}

/* Mode, length and text are offset by four bits; two bytes in turn fill the rest. */
static void make_data(uint8_t *data, unsigned count, const char *text, size_t length)
{
    static const uint8_t filling[] = {0xec, 0x11};

    data[0] = (uint8_t)(MODE_BYTES << 4 | length >> 4);
    data[1] = (uint8_t)(length << 4);
    for (size_t i = 0; i < length; i++) {
        data[i + 1] |= (uint8_t)text[i] >> 4;
        data[i + 2] = (uint8_t)(text[i] << 4);
    }
    for (size_t i = length + 2; i < count; i++)
        data[i] = filling[(i - length) % 2];
}

/* Interleaves the blocks' data codewords, then their check codewords. */
static void interleave(unsigned version, const uint8_t *data, uint8_t *out)
{
    unsigned blocks = versions[version].blocks, checks = versions[version].check;
    unsigned length = data_codewords(version) / blocks;
    uint8_t check[CHECK_MAX];

    for (unsigned block = 0; block < blocks; block++) {
        make_check(data + block * length, length, check, checks);
        for (unsigned i = 0; i < length; i++)
            out[i * blocks + block] = data[block * length + i];
        for (unsigned i = 0; i < checks; i++)
            out[(length + i) * blocks + block] = check[i];
    }
}

/* --- modules --- */

static void set(struct qr *qr, unsigned row, unsigned column, bool dark)
{
    qr->dark[row][column] = dark;
    qr->function[row][column] = 1;
}

static unsigned distance(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

/* Draws squares around a centre, light at two distances; clips to the code. */
static void draw_squares(struct qr *qr, unsigned row, unsigned column, unsigned reach,
                         unsigned light, unsigned also_light)
{
    for (unsigned y = 0; y < qr->side; y++) {
        for (unsigned x = 0; x < qr->side; x++) {
            unsigned dy = distance(y, row), dx = distance(x, column), far = dy > dx ? dy : dx;

            if (far <= reach)
                set(qr, y, x, far != light && far != also_light);
        }
    }
}

static void draw_alignment(struct qr *qr, unsigned version)
{
    unsigned last = qr->side - 7, places[] = {TIMING, (TIMING + last) / 2 / 2 * 2, last};

    for (unsigned y = 0; y < 3; y++) {
        for (unsigned x = 0; x < 3; x++) {
            bool is_middle = x == 1 || y == 1, is_last = x == 2 && y == 2; /* else a finder */

            if (is_last || (is_middle && version >= FIRST_TOLD))
                draw_squares(qr, places[y], places[x], 2, 1, 1);
        }
    }
}

/* The number, followed by the remainder of its division by the code. */
static unsigned with_rest(unsigned number, unsigned code, unsigned bits)
{
    unsigned rest = number << bits;

    for (unsigned bit = 31; bit >= bits; bit--) {
        if (rest >> bit & 1)
            rest ^= code << (bit - bits);
    }
    return number << bits | rest;
}

/* Draws it twice: around the upper left finder pattern, and split between the two others. */
static void draw_format(struct qr *qr)
{
    unsigned bits = with_rest(LEVEL_L << 3 | MASK, FORMAT_CODE, 10) ^ FORMAT_MASK;

    for (unsigned i = 0; i < 15; i++) {
        bool dark = bits >> i & 1;
        unsigned along = i < 6 ? i : i < 8 ? i + 1 : 14 - i; /* skips the timing line */

        if (i < 8) {
            set(qr, along, 8, dark);
            set(qr, 8, qr->side - 1 - i, dark);
        } else {
            set(qr, 8, i == 8 ? 7 : along, dark);
            set(qr, qr->side - 15 + i, 8, dark);
        }
    }
    set(qr, qr->side - 8, 8, true);
}

static void draw_version(struct qr *qr, unsigned version)
{
    unsigned bits = with_rest(version, VERSION_CODE, 12);

    for (unsigned i = 0; i < 18; i++) {
        set(qr, i / 3, qr->side - 11 + i % 3, bits >> i & 1);
        set(qr, qr->side - 11 + i % 3, i / 3, bits >> i & 1);
    }
}

static void draw_function(struct qr *qr, unsigned version)
{
    unsigned last = qr->side - 4;

    memset(qr->function, 0, sizeof(qr->function));
    for (unsigned i = 0; i < qr->side; i++) {
        set(qr, TIMING, i, i % 2 == 0);
        set(qr, i, TIMING, i % 2 == 0);
    }
    draw_squares(qr, 3, 3, 4, 2, 4);
    draw_squares(qr, 3, last, 4, 2, 4);
    draw_squares(qr, last, 3, 4, 2, 4);
    if (version >= FIRST_ALIGNMENT)
        draw_alignment(qr, version);
    draw_format(qr);
    if (version >= FIRST_TOLD)
        draw_version(qr, version);
}

/* Fills two columns at a time from the right, up and down in turn, around function patterns. */
static void draw_data(struct qr *qr, const uint8_t *codewords, unsigned count)
{
    unsigned bit = 0;
    bool up = true;

    for (int right = (int)qr->side - 1; right >= 1; right -= right == TIMING + 2 ? 3 : 2) {
        for (unsigned i = 0; i < 2 * qr->side; i++) {
            unsigned x = (unsigned)right - i % 2, y = up ? qr->side - 1 - i / 2 : i / 2;
            bool dark = bit < 8 * count && codewords[bit / 8] >> (7 - bit % 8) & 1;

            if (qr->function[y][x])
                continue;
            qr->dark[y][x] = dark ^ ((x + y) % 2 == 0);
            bit++;
        }
        up = !up;
    }
}

bool qr_encode(struct qr *qr, const char *text, unsigned version_most)
{
    uint8_t data[CODEWORDS_MAX] = {0}, codewords[CODEWORDS_MAX] = {0};
    size_t length = strlen(text);
    unsigned version = 1;

    while (version <= version_most && length > qr_capacity(version))
        version++;
    if (version > version_most)
        return false;
    qr->side = QR_SIDE(version);
    make_data(data, data_codewords(version), text, length);
    interleave(version, data, codewords);
    draw_function(qr, version);
    draw_data(qr, codewords, versions[version].codewords);
    return true;
}
