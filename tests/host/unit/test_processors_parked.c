/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does each processor end where it is to wait, whatever it did before? */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/memory/page_tables.h"
#include "arch/cpu/smp/processors_start.h"
#include "tests/host/unit/check.h"

#define PROCESSORS 3
#define LOW        0x80000
#define ABSENT     2 /* its id; it takes no message */

enum state { IN_INIT, ELSEWHERE, PARKED };

static const uint32_t ids[PROCESSORS] = {0, 1, ABSENT};
static enum state states[PROCESSORS];
static _Alignas(uint32_t) uint8_t low_memory[LOW_PARK + LOW_PARK_SIZE];

/* No code: the count stands at the start of the page. */
const uint8_t ap_park[1];
extern const uint8_t ap_park_came[1] __attribute__((alias("ap_park")));
extern const uint8_t ap_park_end[1] __attribute__((alias("ap_park")));

void *processor_low_memory(void)
{
    return low_memory;
}

uint32_t processor_low_address(void)
{
    return LOW;
}

bool apic_send_startup(uint32_t apic_id, uint8_t page)
{
    CHECK(page == (LOW + LOW_PARK) / PAGE_SIZE, "page %#x", page);
    if (states[apic_id] != IN_INIT || apic_id == ABSENT)
        return true;
    states[apic_id] = PARKED;
    ++*(uint32_t *)(low_memory + LOW_PARK);
    return true;
}

void processors_send_init(const uint32_t *to, unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        states[to[i]] = IN_INIT;
}

/* Which states the two that are there begin in. */
static void expect_both_parked(enum state first, enum state second, unsigned number)
{
    states[0] = first;
    states[1] = second;
    processors_park(ids, number, 1);
    CHECK(states[0] == PARKED && states[1] == PARKED, "%d and %d of %u end as %d and %d", first,
          second, number, states[0], states[1]);
}

int main(void)
{
    for (unsigned number = 2; number <= PROCESSORS; number++) {
        expect_both_parked(IN_INIT, IN_INIT, number);
        expect_both_parked(IN_INIT, ELSEWHERE, number);
        expect_both_parked(ELSEWHERE, ELSEWHERE, number);
    }
    return check_result();
}
