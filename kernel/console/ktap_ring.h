/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries the log of a processor that runs in a private image (arch/cpu/memory/private_image.h) to
 * the processor that writes the log. Each call of kernel/report/ktap.h becomes a message in a ring,
 * and the reader makes the same call. One processor writes, one reads. Pure.
 */
#ifndef KERNEL_CONSOLE_KTAP_RING_H
#define KERNEL_CONSOLE_KTAP_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KTAP_RING_TEXT 1024u /* bytes of a message's texts, terminating zeros included */

enum ktap_call {
    KTAP_CALL_OPEN,    /* text: the name, or "" */
    KTAP_CALL_PLAN,    /* number: the count */
    KTAP_CALL_RESULT,  /* number: enum ktap_outcome; text: the name, behind its zero the reason */
    KTAP_CALL_COMMENT, /* text: a line */
    KTAP_CALL_DETAIL,  /* text: a line */
    KTAP_CALL_END,     /* the summary follows, for the end of the whole log */
};

struct ktap_message {
    uint8_t call, level;
    uint16_t length; /* of text, its zeros included */
    uint32_t number;
    char text[KTAP_RING_TEXT];
};

struct ktap_ring {
    uint64_t written, read; /* bytes, since the start */
    uint64_t size;          /* bytes of the buffer */
    uint32_t lost;          /* messages for which there was no room */
    char bytes[];
};

/* Makes an empty ring of `bytes` bytes of memory at `ring`, zeroed or not. */
void ktap_ring_open(struct ktap_ring *ring, size_t bytes);

/* Free bytes. Only a reader makes more. */
size_t ktap_ring_room(const struct ktap_ring *ring);

/* If there is no room, the message is lost and counted. */
void ktap_ring_put(struct ktap_ring *ring, const struct ktap_message *message);

/* The call in the oldest message; KTAP_CALL_END also if there is no message. */
enum ktap_call ktap_ring_next(const struct ktap_ring *ring);

/* Moves the oldest message to *message. Returns false if there is none. */
bool ktap_ring_take(struct ktap_ring *ring, struct ktap_message *message);

#endif
