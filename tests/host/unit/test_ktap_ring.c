/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages from one processor to another: none lost that there was room for, in order, whole. */
#include "kernel/console/ktap_ring.h"

#include "tests/host/unit/check.h"

#define RING_BYTES 1024u

static union {
    struct ktap_ring ring;
    char bytes[RING_BYTES];
} memory;

static struct ktap_message made(uint32_t number)
{
    struct ktap_message message = {
        .call = KTAP_CALL_RESULT, .level = 2, .number = number, .length = (uint16_t)(number % 90)};

    memset(message.text, (int)('a' + number % 26), message.length);
    return message;
}

static void check_taken(uint32_t number)
{
    struct ktap_message expected = made(number), message;

    CHECK(ktap_ring_take(&memory.ring, &message), "message %u is not there", number);
    CHECK(message.number == number && message.length == expected.length &&
              message.call == KTAP_CALL_RESULT && message.level == 2,
          "message %u came as %u", number, message.number);
    CHECK(memcmp(message.text, expected.text, expected.length) == 0, "text of %u", number);
}

/* Up to five at a time on their way, over every place in the ring. */
static void check_order(void)
{
    struct ktap_message message;
    uint32_t put = 0, taken = 0;

    ktap_ring_open(&memory.ring, RING_BYTES);
    CHECK(!ktap_ring_take(&memory.ring, &message), "there is something in an empty one");
    while (taken < 20000) {
        for (uint32_t i = put % 5; i < 5; i++) {
            message = made(put++);
            ktap_ring_put(&memory.ring, &message);
        }
        for (; taken < put - put % 3; taken++)
            check_taken(taken);
    }
    CHECK(memory.ring.lost == 0, "%u are lost", memory.ring.lost);
}

static void check_full(void)
{
    struct ktap_message message = made(89);
    uint32_t put = 0;

    ktap_ring_open(&memory.ring, RING_BYTES);
    while (memory.ring.lost == 0) {
        size_t room = ktap_ring_room(&memory.ring);

        ktap_ring_put(&memory.ring, &message);
        put += memory.ring.lost == 0;
        CHECK(memory.ring.lost == (room < RING_BYTES / 8 && ktap_ring_room(&memory.ring) == room),
              "room for %zu bytes", room);
    }
    for (; put > 0; put--)
        check_taken(89);
    CHECK(!ktap_ring_take(&memory.ring, &message), "a part of the one that was lost");
    CHECK(memory.ring.lost == 1, "%u are lost", memory.ring.lost);
}

int main(void)
{
    check_order();
    check_full();
    return check_result();
}
