/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console/ktap_ring.h"

#include "arch/lib/string.h"

#define HEAD offsetof(struct ktap_message, text)

void ktap_ring_open(struct ktap_ring *ring, size_t bytes)
{
    *ring = (struct ktap_ring){.size = bytes - sizeof(*ring)};
}

static uint64_t load(const uint64_t *counter)
{
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

size_t ktap_ring_room(const struct ktap_ring *ring)
{
    return ring->size - (load(&ring->written) - load(&ring->read));
}

/* Copies in two parts if it wraps. */
static void copy_in(struct ktap_ring *ring, uint64_t at, const char *from, size_t length)
{
    size_t place = at % ring->size, first = ring->size - place;

    if (first > length)
        first = length;
    memcpy(ring->bytes + place, from, first);
    memcpy(ring->bytes, from + first, length - first);
}

static void copy_out(const struct ktap_ring *ring, uint64_t at, char *to, size_t length)
{
    size_t place = at % ring->size, first = ring->size - place;

    if (first > length)
        first = length;
    memcpy(to, ring->bytes + place, first);
    memcpy(to + first, ring->bytes, length - first);
}

void ktap_ring_put(struct ktap_ring *ring, const struct ktap_message *message)
{
    size_t length = HEAD + message->length;

    if (length > ktap_ring_room(ring)) {
        ring->lost++;
        return;
    }
    copy_in(ring, ring->written, (const char *)message, length);
    __atomic_store_n(&ring->written, ring->written + length, __ATOMIC_RELEASE);
}

bool ktap_ring_take(struct ktap_ring *ring, struct ktap_message *message)
{
    if (load(&ring->written) == ring->read)
        return false;
    copy_out(ring, ring->read, (char *)message, HEAD);
    copy_out(ring, ring->read + HEAD, message->text, message->length);
    __atomic_store_n(&ring->read, ring->read + HEAD + message->length, __ATOMIC_RELEASE);
    return true;
}

enum ktap_call ktap_ring_next(const struct ktap_ring *ring)
{
    uint8_t call;

    if (load(&ring->written) == ring->read)
        return KTAP_CALL_END;
    copy_out(ring, ring->read + offsetof(struct ktap_message, call), (char *)&call, 1);
    return (enum ktap_call)call;
}
