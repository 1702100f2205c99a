/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as a QR code (ISO/IEC 18004), for a phone to carry away what stands on the screen. Pure. */
#ifndef KERNEL_SCREEN_QR_H
#define KERNEL_SCREEN_QR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QR_VERSIONS      9u /* 1 to 9: 17 + 4 * version modules a side */
#define QR_SIDE(version) (17u + 4u * (version))
#define QR_SIDE_MAX      QR_SIDE(QR_VERSIONS)
#define QR_QUIET         4u /* modules that have to be light on each side of it */

struct qr {
    unsigned side;                              /* modules */
    uint8_t dark[QR_SIDE_MAX][QR_SIDE_MAX];     /* 1 or 0, by row and column from above */
    uint8_t function[QR_SIDE_MAX][QR_SIDE_MAX]; /* 1: a pattern that is in every code, no data */
};

/* How many bytes of text a code of that version holds. */
size_t qr_capacity(unsigned version);

/* The smallest code that holds the text, of this version at most; false when it is too long. */
bool qr_encode(struct qr *qr, const char *text, unsigned version_most);

#endif
