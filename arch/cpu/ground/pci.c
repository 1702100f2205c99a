/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/ground/pci.h"
#include <stddef.h>
#include "arch/cpu/ground/insn.h"

#define CONFIG_ADDRESS 0xcf8u
#define CONFIG_DATA    0xcfcu
#define CONFIG_ENABLE  0x80000000u

#define NOTHING_THERE 0xffffu /* as a vendor */

#define COMMAND            0x04u /* in bits 15:0; bits 31:16 are the status */
#define COMMAND_BITS       0xffffu
#define COMMAND_DECODE     0x3u /* ports and memory */
#define HAS_CAPABILITIES   (1u << 20)
#define HEADER             0x0cu /* its type in bits 23:16 */
#define HEADER_DEVICE      0x00u
#define HEADER_BRIDGE      0x01u
#define HEADER_MANY        0x80u /* has further functions */
#define FIRST_BAR          0x10u
#define BARS               6u /* of a device */
#define BAR_IS_PORT        0x1u
#define BAR_PORT_MASK      0xfffffffcu
#define BAR_TYPE           0x6u
#define BAR_64             0x4u
#define BAR_MEMORY_MASK    0xfffffff0u
#define BRIDGE_BUSES       0x18u /* the secondary one in bits 15:8 */
#define CAPABILITIES       0x34u
#define CAPABILITY_LOWEST  0x40u
#define CAPABILITIES_MOST  48u /* as many as fit: ends a list that loops */
#define CAPABILITY_POWER   0x01u
#define POWER_STATE_OFFSET 4u /* of its control register */
#define POWER_STATE        0x3u
#define POWER_EVENT        (1u << 15) /* cleared by writing 1 */

#define D0_MICROSECONDS 10000u /* from D3 to D0: F26.13a */

#define BUSES 256u

static void choose(const struct pci_function *at, unsigned offset)
{
    insn_out32(CONFIG_ADDRESS, CONFIG_ENABLE | (uint32_t)at->bus << 16 |
                                   (uint32_t)at->device << 11 | (uint32_t)at->function << 8 |
                                   (offset & 0xfcu));
}

uint32_t pci_read(const struct pci_function *function, unsigned offset)
{
    choose(function, offset);
    return insn_in32(CONFIG_DATA);
}

void pci_write(const struct pci_function *function, unsigned offset, uint32_t value)
{
    choose(function, offset);
    insn_out32(CONFIG_DATA, value);
}

static bool has_configuration_ports(void)
{
    insn_out32(CONFIG_ADDRESS, CONFIG_ENABLE);
    return insn_in32(CONFIG_ADDRESS) == CONFIG_ENABLE;
}

static bool is_there(const struct pci_function *function)
{
    return (pci_read(function, PCI_IDS) & 0xffffu) != NOTHING_THERE;
}

bool pci_exists(const struct pci_function *function)
{
    return has_configuration_ports() && is_there(function);
}

static unsigned header_of(const struct pci_function *function)
{
    return pci_read(function, HEADER) >> 16 & 0xffu;
}

struct walk {
    bool (*visit)(const struct pci_function *function, void *argument);
    void *argument;
    uint8_t buses[BUSES]; /* to visit, each once */
    unsigned count;
};

static void add_bus(struct walk *walk, uint8_t bus)
{
    for (unsigned i = 0; i < walk->count; i++)
        if (walk->buses[i] == bus)
            return;
    walk->buses[walk->count++] = bus;
}

static bool walk_function(struct walk *walk, const struct pci_function *function)
{
    if ((header_of(function) & ~HEADER_MANY) == HEADER_BRIDGE)
        add_bus(walk, (uint8_t)(pci_read(function, BRIDGE_BUSES) >> 8));
    return walk->visit(function, walk->argument);
}

static bool walk_device(struct walk *walk, uint8_t bus, uint8_t device)
{
    struct pci_function first = {.bus = bus, .device = device, .function = 0};
    if (!is_there(&first))
        return false;
    unsigned count = header_of(&first) & HEADER_MANY ? PCI_FUNCTIONS : 1;
    for (unsigned i = 0; i < count; i++) {
        struct pci_function at = {.bus = bus, .device = device, .function = (uint8_t)i};
        if (is_there(&at) && walk_function(walk, &at))
            return true;
    }
    return false;
}

/* A bridge that is not set up leads to bus 0, which is in the list already. */
bool pci_find(bool (*visit)(const struct pci_function *function, void *argument), void *argument)
{
    struct walk walk = {.visit = visit, .argument = argument, .count = 1};
    if (!has_configuration_ports())
        return false;
    for (unsigned i = 0; i < walk.count; i++)
        for (unsigned device = 0; device < PCI_DEVICES; device++)
            if (walk_device(&walk, walk.buses[i], (uint8_t)device))
                return true;
    return false;
}

bool pci_first_bar(const struct pci_function *function, struct pci_bar *bar)
{
    uint32_t low = pci_read(function, FIRST_BAR);
    *bar = (struct pci_bar){.in_memory = !(low & BAR_IS_PORT)};
    bar->address = low & (bar->in_memory ? BAR_MEMORY_MASK : BAR_PORT_MASK);
    if (bar->in_memory && (low & BAR_TYPE) == BAR_64)
        bar->address |= (uint64_t)pci_read(function, FIRST_BAR + 4) << 32;
    return bar->address != 0;
}

/* Offset of the power management capability, or 0. */
static unsigned find_power(const struct pci_function *function)
{
    if (!(pci_read(function, COMMAND) & HAS_CAPABILITIES))
        return 0;
    unsigned at = pci_read(function, CAPABILITIES) & 0xfcu;
    for (unsigned i = 0; i < CAPABILITIES_MOST && at >= CAPABILITY_LOWEST; i++) {
        uint32_t capability = pci_read(function, at);
        if ((capability & 0xffu) == CAPABILITY_POWER)
            return at;
        at = capability >> 8 & 0xfcu;
    }
    return 0;
}

static bool is_asleep(const struct pci_function *function, unsigned power)
{
    return power != 0 && (pci_read(function, power + POWER_STATE_OFFSET) & POWER_STATE) != 0;
}

bool pci_is_awake(const struct pci_function *function)
{
    return (pci_read(function, COMMAND) & COMMAND_DECODE) != 0 &&
           !is_asleep(function, find_power(function));
}

/* What a function may lose when it leaves a sleep state (F26.13a). */
struct kept {
    uint32_t command, bars[BARS];
    unsigned count; /* of bars */
};

static struct kept keep(const struct pci_function *function)
{
    unsigned header = header_of(function) & ~HEADER_MANY;
    struct kept kept = {.command = pci_read(function, COMMAND) & COMMAND_BITS,
                        .count = header == HEADER_DEVICE ? BARS : 0};
    for (unsigned i = 0; i < kept.count; i++)
        kept.bars[i] = pci_read(function, FIRST_BAR + 4 * i);
    return kept;
}

static void restore_bars(const struct pci_function *function, const struct kept *kept)
{
    for (unsigned i = 0; i < kept->count; i++)
        if (pci_read(function, FIRST_BAR + 4 * i) != kept->bars[i])
            pci_write(function, FIRST_BAR + 4 * i, kept->bars[i]);
}

static void leave_sleep(const struct pci_function *function, unsigned power, pci_rest rest)
{
    struct kept kept = keep(function);
    uint32_t control = pci_read(function, power + POWER_STATE_OFFSET);

    pci_write(function, power + POWER_STATE_OFFSET, control & ~(POWER_STATE | POWER_EVENT));
    rest(D0_MICROSECONDS);
    restore_bars(function, &kept);
    if ((pci_read(function, COMMAND) & COMMAND_BITS) != kept.command)
        pci_write(function, COMMAND, kept.command);
}

/* Writes the status as 0, because writing 1 clears it. */
void pci_wake(const struct pci_function *function, pci_rest rest)
{
    unsigned power = find_power(function);
    if (is_asleep(function, power))
        leave_sleep(function, power, rest);
    uint32_t command = pci_read(function, COMMAND) & COMMAND_BITS;
    if ((command & COMMAND_DECODE) != COMMAND_DECODE)
        pci_write(function, COMMAND, command | COMMAND_DECODE);
}
