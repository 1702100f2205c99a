/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as a QR code (ISO/IEC 18004), for a phone to read from the screen. Pure. */
#ifndef KERNEL_SCREEN_QR_H
#define KERNEL_SCREEN_QR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QR_VERSIONS      9u /* 1 to 9: 17 + 4 * version modules a side */
#define QR_SIDE(version) (17u + 4u * (version))
#define QR_SIDE_MAX      QR_SIDE(QR_VERSIONS)
#define QR_QUIET         4u /* light modules required on each side */

struct qr {
    unsigned side;                              /* modules */
    uint8_t dark[QR_SIDE_MAX][QR_SIDE_MAX];     /* 1 or 0, by row and column */
    uint8_t function[QR_SIDE_MAX][QR_SIDE_MAX]; /* 1: a fixed pattern, no data */
};

/* Bytes of text that a code of this version holds. */
size_t qr_capacity(unsigned version);

/* Makes the smallest code for the text, up to version_most. Returns false if none holds it. */
bool qr_encode(struct qr *qr, const char *text, unsigned version_most);

#endif
