/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made-up board with a USB controller of each kind, whose firmware lets go at once, late or
 * never: is each taken as its specification has it, is what is reserved left, and does it end?
 */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"
#include "arch/cpu/identity/features.h"

#define MEMORY 0x10000u

static uint32_t space[64]; /* the controller's configuration space, in dwords */
static _Alignas(4) uint8_t memory[MEMORY];
static unsigned reads_until_it_lets_go; /* UINT32_MAX: never */
static uint64_t now;

#define ARCH_CPU_GROUND_INSN_H
static inline uint64_t insn_rdtsc(void)
{
    return now += 1000;
}

static inline void insn_pause(void)
{
}

static uint32_t *legacy; /* the dword with the owners, or HcControl */
static uint32_t owner;   /* the firmware's bit in it */
static bool was_asked;

static uint32_t look(uint32_t *at)
{
    if (at == legacy && was_asked && reads_until_it_lets_go != UINT32_MAX &&
        reads_until_it_lets_go-- == 0)
        *at &= ~owner;
    return *at;
}

static uint32_t insn_load32(const volatile void *address)
{
    return look((uint32_t *)(uintptr_t)address);
}

static void insn_store32(volatile void *address, uint32_t value)
{
    uint32_t *at = (uint32_t *)(uintptr_t)address;

    was_asked |= at == legacy || at == (uint32_t *)(memory + 8);
    *at = value;
}

#include "kernel/machine/smis.c"
#include "kernel/machine/usb_handover.c"

static char announced[256];
static bool has_uhci_before; /* another controller, with a lower number */

static void announce(const char *name)
{
    CHECK(has_uhci_before || !was_asked, "it is told before it is done");
    format_string(announced, sizeof announced, "%s", name);
}

static bool counts_smis, smis_come;

uint64_t time_tsc_per_microsecond(void)
{
    return 1;
}

struct wait time_wait(uint64_t microseconds)
{
    return wait_begin(microseconds, 1000);
}

struct smi_mark smi_mark(void)
{
    return (struct smi_mark){.known = counts_smis};
}

uint32_t smi_count_since(const struct smi_mark *mark)
{
    return mark->known && smis_come;
}

uint32_t pci_read(const struct pci_function *function, unsigned offset)
{
    if (function->device == 0x10 && offset == PCI_CLASS)
        return CLASS_USB << 8;
    return look(&space[offset / 4]);
}

void pci_write(const struct pci_function *function, unsigned offset, uint32_t value)
{
    (void)function;
    was_asked |= &space[offset / 4] == legacy;
    space[offset / 4] = value;
}

bool pci_find(bool (*found)(const struct pci_function *, void *), void *argument)
{
    const struct pci_function at = {.bus = 0, .device = 0x14, .function = 1};
    const struct pci_function before = {.bus = 0, .device = 0x10};

    return (has_uhci_before && found(&before, argument)) || found(&at, argument);
}

static bool is_awake;

bool pci_is_awake(const struct pci_function *function)
{
    (void)function;
    return is_awake;
}

bool pci_first_bar(const struct pci_function *function, struct pci_bar *bar)
{
    (void)function;
    *bar = (struct pci_bar){.in_memory = true, .address = 0xf0000000};
    return true;
}

void *paging_map_physical(uint64_t physical, size_t length, enum page_cache cache)
{
    CHECK(physical == 0xf0000000 && length <= MEMORY && cache == PAGE_UNCACHED, "%#lx", physical);
    return memory;
}

static uint32_t *in_memory(unsigned offset)
{
    return (uint32_t *)(memory + offset);
}

static void board(uint32_t interface, unsigned reads)
{
    memset(space, 0, sizeof space);
    memset(memory, 0, sizeof memory);
    space[PCI_CLASS / 4] = (CLASS_USB | interface) << 8;
    reads_until_it_lets_go = reads;
    was_asked = has_uhci_before = false;
    announced[0] = '\0';
    legacy = NULL;
    counts_smis = smis_come = is_awake = true;
}

static const char *taken(void)
{
    static char text[64];

    return usb_handover(announce, text, sizeof text);
}

static void expect(const char *told_of)
{
    CHECK_TEXT(taken(), told_of);
}

static void test_uhci(void)
{
    board(0x00, 0);
    space[UHCI_LEGACY / 4] = 0xabcd20ff;
    expect("UHCI 00:14.1");
    CHECK(space[UHCI_LEGACY / 4] == 0xabcd8f00, "%#x", space[UHCI_LEGACY / 4]);
}

static void ohci(unsigned reads)
{
    board(0x10, reads);
    legacy = in_memory(OHCI_CONTROL);
    owner = OHCI_BY_SMI;
    *legacy = OHCI_BY_SMI | OHCI_WAKES | 0x80;
}

static void test_ohci(void)
{
    ohci(5);
    expect("OHCI 00:14.1");
    CHECK(*in_memory(OHCI_COMMAND) == OHCI_ASKS_OWNER, "asked");
    CHECK(*legacy == (OHCI_WAKES | 0x80), "%#x", *legacy);
    ohci(UINT32_MAX);
    expect("OHCI 00:14.1 (by force)");
    CHECK(*legacy == OHCI_WAKES, "%#x", *legacy);
    ohci(0);
    *legacy = 0x80;
    expect("OHCI 00:14.1");
    CHECK(*in_memory(OHCI_COMMAND) == 0 && *legacy == 0x80, "it was the system's already");
}

/* Behind another capability; the next one is itself: a list without an end. */
static void ehci(unsigned reads)
{
    board(0x20, reads);
    *in_memory(EHCI_PARAMETERS) = 0x5006;
    space[0x50 / 4] = 0x68 << 8 | 0x0a;
    space[0x68 / 4] = OWNER_FIRMWARE | 0x50 << 8 | CAPABILITY_LEGACY;
    space[0x6c / 4] = 0xc000e03f;
    legacy = &space[0x68 / 4];
    owner = OWNER_FIRMWARE;
}

static void test_ehci(void)
{
    const uint32_t ours = OWNER_SYSTEM | 0x50 << 8 | CAPABILITY_LEGACY;

    ehci(3);
    expect("EHCI 00:14.1");
    CHECK(*legacy == ours && space[0x6c / 4] == 0, "%#x %#x", *legacy, space[0x6c / 4]);
    CHECK_TEXT(announced, "EHCI 00:14.1");
    ehci(UINT32_MAX);
    expect("EHCI 00:14.1 (by force)");
    CHECK(*legacy == ours && space[0x6c / 4] == 0, "%#x %#x", *legacy, space[0x6c / 4]);
    ehci(0);
    *in_memory(EHCI_PARAMETERS) = 0x0006;
    expect("EHCI 00:14.1");
    CHECK(*legacy & OWNER_FIRMWARE, "it has no such capability");
}

static void xhci(unsigned reads)
{
    board(0x30, reads);
    *in_memory(XHCI_PARAMETERS) = 0x2000u << 16 | 5;
    *in_memory(0x8000) = 0x10 << 8 | 2;
    *in_memory(0x8040) = OWNER_FIRMWARE | CAPABILITY_LEGACY;
    *in_memory(0x8044) = 0x5fffffff;
    legacy = in_memory(0x8040);
    owner = OWNER_FIRMWARE;
}

static void test_xhci(void)
{
    xhci(2);
    expect("xHCI 00:14.1");
    CHECK(*legacy == (OWNER_SYSTEM | CAPABILITY_LEGACY), "%#x", *legacy);
    CHECK(*in_memory(0x8044) == 0xe00e1fee, "%#x",
          *in_memory(0x8044)); /* bits 3:1, 12:5, 19:17 stay */
    xhci(UINT32_MAX);
    expect("xHCI 00:14.1 (by force)");
    CHECK(*legacy == (OWNER_SYSTEM | CAPABILITY_LEGACY), "%#x", *legacy);
    board(0x30, 0);
    *in_memory(XHCI_PARAMETERS) = 0xffffu << 16; /* past what is mapped */
    expect("xHCI 00:14.1");
}

/* The firmware is not asked for a controller that it does not have; SMI enables left on are
 * cleared. */
static void test_nobodys(void)
{
    ehci(0);
    *legacy &= ~OWNER_FIRMWARE;
    expect("EHCI 00:14.1");
    CHECK(!was_asked && space[0x6c / 4] == 0, "EHCI: %#x %#x", *legacy, space[0x6c / 4]);
    xhci(0);
    *legacy &= ~OWNER_FIRMWARE;
    expect("xHCI 00:14.1");
    CHECK(!was_asked && *in_memory(0x8044) == 0xe00e1fee, "xHCI: %#x %#x", *legacy,
          *in_memory(0x8044));
}

/* Firmware that lets go of EHCI may switch the SMIs of UHCI on: that is the last. */
static void test_order(void)
{
    ehci(0);
    has_uhci_before = true;
    CHECK_TEXT(taken(), "EHCI 00:14.1, UHCI 00:10.0");
}

static void test_where_it_is_left_alone(void)
{
    xhci(0);
    smis_come = false;
    expect("");
    counts_smis = false;
    cpu_features()->present[FEATURE_HYPERVISOR] = true;
    expect("");
    CHECK(*legacy == (OWNER_FIRMWARE | CAPABILITY_LEGACY) && !was_asked, "untouched");
    cpu_features()->present[FEATURE_HYPERVISOR] = false;
    expect("xHCI 00:14.1");
    ehci(0);
    is_awake = false;
    expect("");
    board(0x40, 0); /* USB4, or a device: not a kind that is known */
    expect("");
}

int main(void)
{
    test_uhci();
    test_ohci();
    test_ehci();
    test_xhci();
    test_nobodys();
    test_order();
    test_where_it_is_left_alone();
    return check_result();
}
