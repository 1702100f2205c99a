/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A board made up here, with PCI functions behind bridges and an LPSS UART: are the UARTs found,
 * woken and described, and is nothing else written to?
 */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"

#define FUNCTIONS 8u
#define SPACE     256u
#define WINDOW    0x300u

static struct function {
    uint32_t place; /* bus, device, function as the address port has them */
    uint8_t bytes[SPACE];
    unsigned writes;
    bool resets;    /* on its way from D3 to D0 */
    uint64_t ready; /* until then it must be left alone */
} functions[FUNCTIONS];
static unsigned function_count;

static bool has_ports = true;
static uint32_t selected;
static unsigned accesses;
static uint64_t now;

static uint8_t window[WINDOW]; /* the registers of the LPSS UART */
static unsigned window_writes;
static uint64_t mapped_at, mapped_length;

static struct function *current(void)
{
    for (unsigned i = 0; i < function_count; i++)
        if (functions[i].place == (selected & 0xffff00))
            return &functions[i];
    return NULL;
}

static uint32_t insn_in32(uint16_t port)
{
    struct function *at = current();
    uint32_t value = UINT32_MAX;

    accesses++;
    if (port == 0xcf8)
        return has_ports ? selected : UINT32_MAX;
    CHECK(at == NULL || now >= at->ready, "read at %lu us, before it has woken up", now);
    if (has_ports && at != NULL)
        memcpy(&value, at->bytes + (selected & 0xfc), 4);
    return value;
}

/* All that it forgets: the command, the base addresses. */
static void leave_d3(struct function *at)
{
    at->ready = now + 10000;
    if (!at->resets)
        return;
    memset(at->bytes + 4, 0, 2);
    memset(at->bytes + 0x10, 0, 24);
}

/* The status in the upper half of the command register is cleared by writing 1. */
static void insn_out32(uint16_t port, uint32_t value)
{
    struct function *at = current();

    accesses++;
    if (port == 0xcf8) {
        selected = value;
        return;
    }
    CHECK(port == 0xcfc && at != NULL, "a write to nobody, port %#x", port);
    if (at == NULL)
        return;
    CHECK(now >= at->ready, "written at %lu us, before it has woken up", now);
    at->writes++;
    if ((selected & 0xfc) == 0x54 && (at->bytes[0x54] & 3) == 3 && (value & 3) == 0)
        leave_d3(at);
    if ((selected & 0xfc) == 4)
        CHECK(value >> 16 == 0, "status bits were cleared: %#x", value);
    memcpy(at->bytes + (selected & 0xfc), &value, (selected & 0xfc) == 4 ? 2 : 4);
}

static uint32_t insn_load32(const volatile void *address)
{
    uint32_t value;

    memcpy(&value, (const void *)address, 4);
    return value;
}

static void insn_store32(volatile void *address, uint32_t value)
{
    window_writes++;
    memcpy((void *)address, &value, 4);
}

#define UNUSED_ACCESSES(bits)                                                                      \
    static __attribute__((unused)) uint##bits##_t insn_in##bits(uint16_t port)                     \
    {                                                                                              \
        (void)port;                                                                                \
        __builtin_trap();                                                                          \
    }                                                                                              \
    static __attribute__((unused)) void insn_out##bits(uint16_t port, uint##bits##_t value)        \
    {                                                                                              \
        (void)port, (void)value;                                                                   \
        __builtin_trap();                                                                          \
    }                                                                                              \
    static __attribute__((unused)) uint##bits##_t insn_load##bits(const volatile void *address)    \
    {                                                                                              \
        (void)address;                                                                             \
        __builtin_trap();                                                                          \
    }                                                                                              \
    static __attribute__((unused)) void insn_store##bits(volatile void *address,                   \
                                                         uint##bits##_t value)                     \
    {                                                                                              \
        (void)address, (void)value;                                                                \
        __builtin_trap();                                                                          \
    }

UNUSED_ACCESSES(8)
UNUSED_ACCESSES(16)

static inline uint64_t insn_rdtsc(void)
{
    return now += 10;
}

static inline void insn_pause(void)
{
}

#define ARCH_CPU_GROUND_INSN_H
#include "arch/cpu/ground/pci.c"
#include "kernel/console/uart_pci.c"

struct boot_info boot_info;

void *paging_map_physical(uint64_t physical, size_t length, enum page_cache cache)
{
    CHECK(cache == PAGE_UNCACHED, "cached");
    mapped_at = physical;
    mapped_length = length;
    return physical >> 46 != 0 ? NULL : window;
}

struct wait time_wait(uint64_t microseconds)
{
    return wait_begin(microseconds, 1);
}

static uint32_t place_of(unsigned bus, unsigned device, unsigned number)
{
    return bus << 16 | device << 11 | number << 8;
}

static void put(struct function *at, unsigned offset, uint32_t value)
{
    memcpy(at->bytes + offset, &value, 4);
}

static uint32_t get(const struct function *at, unsigned offset)
{
    uint32_t value;

    memcpy(&value, at->bytes + offset, 4);
    return value;
}

/* class: three bytes, the programming interface the lowest. header: its type. */
static struct function *add(uint32_t place, uint32_t ids, uint32_t class, unsigned header)
{
    struct function *at = &functions[function_count++];

    *at = (struct function){.place = place};
    put(at, 0, ids);
    put(at, 8, class << 8);
    put(at, 0xc, header << 16);
    return at;
}

static void start_board(void)
{
    function_count = 0;
    has_ports = true;
    boot_info.memory_count = 0;
    accesses = 0;
    window_writes = 0;
    memset(window, 0, WINDOW);
    add(place_of(0, 0, 0), 0x12378086, 0x060000, 0);
}

static struct pci_function found[64];
static unsigned found_count;

static bool note_uart(const struct pci_function *function, void *argument)
{
    unsigned most = *(unsigned *)argument;

    if (uart_pci_kind(function) != UART_PCI_NONE)
        found[found_count++] = *function;
    return found_count == most;
}

static bool search(unsigned most)
{
    found_count = 0;
    return pci_find(note_uart, &most);
}

static void check_search(void)
{
    start_board();
    struct function *bridge = add(place_of(0, 3, 0), 0x34208086, 0x060400, 0x81);
    put(bridge, 0x18, 0x00050500);                   /* bus 5 behind it */
    add(place_of(0, 3, 1), 0x00011234, 0x070001, 0); /* an older UART */
    struct function *back = add(place_of(5, 1, 0), 0x34208086, 0x060400, 0x01);
    put(back, 0x18, 0x00000000); /* nobody set it up */
    add(place_of(5, 2, 0), 0x00131b36, 0x070002, 0);
    add(place_of(5, 2, 1), 0x00131b36, 0x070002, 0); /* a device of one function has no second */
    add(place_of(0, 0x1e, 0), 0x9d278086, 0x078000, 0);
    CHECK(!search(9) && found_count == 2, "%u found", found_count);
    CHECK(found[0].bus == 0 && found[0].device == 0x1e, "the LPSS one");
    CHECK(found[1].bus == 5 && found[1].device == 2 && found[1].function == 0, "the 16550");
    CHECK(search(1) && found_count == 1, "it did not stop");
    for (unsigned i = 0; i < function_count; i++)
        CHECK(functions[i].writes == 0, "function %u was written to", i);
    has_ports = false;
    accesses = 0;
    CHECK(!search(9) && found_count == 0 && accesses < 10, "%u accesses", accesses);
}

/* Bridges in a circle, and a thousand of them: every bus once. */
static void check_circle(void)
{
    start_board();
    for (unsigned bus = 0; bus < 3; bus++)
        put(add(place_of(bus, 1, 0), 0x34208086, 0x060400, 1), 0x18, (bus + 1) % 3 << 8);
    CHECK(!search(9) && accesses < 2000, "%u accesses", accesses);
}

static void check_kinds(void)
{
    static const struct {
        uint32_t ids, class;
        enum uart_pci_kind kind;
    } rows[] = {
        {0x00131b36, 0x070002, UART_PCI_16550}, {0x00131b36, 0x070006, UART_PCI_16550},
        {0x00131b36, 0x070001, UART_PCI_NONE},  {0x00131b36, 0x070007, UART_PCI_NONE},
        {0x00131b36, 0x070302, UART_PCI_NONE},  {0x00131b36, 0x078002, UART_PCI_NONE},
        {0xa1278086, 0x078000, UART_PCI_LPSS},  {0x51a98086, 0x078000, UART_PCI_LPSS},
        {0x43a98086, 0x078000, UART_PCI_LPSS},  {0x54a88086, 0x078000, UART_PCI_LPSS},
        {0x4dc78086, 0x078000, UART_PCI_LPSS},  {0x43aa8086, 0x078000, UART_PCI_NONE},
        {0xa1291234, 0x078000, UART_PCI_NONE},  {0xa1268086, 0x078000, UART_PCI_NONE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        start_board();
        add(place_of(0, 4, 0), rows[i].ids, rows[i].class, 0);
        CHECK(uart_pci_kind(&(struct pci_function){0, 4, 0}) == rows[i].kind, "%08x %06x",
              rows[i].ids, rows[i].class);
    }
}

static const struct pci_function fourth = {0, 4, 0};
static struct uart_pci result;

static const char *prepare(bool by_hand)
{
    now = 0;
    return uart_pci_prepare(&fourth, by_hand, &result);
}

static void expect(const char *got, const char *expected)
{
    if (expected == NULL)
        CHECK(got == NULL, "refused: %s", got);
    else
        CHECK(got != NULL && strstr(got, expected) != NULL, "expected '%s', got '%s'", expected,
              got ? got : "nothing");
}

static void check_ports(void)
{
    start_board();
    struct function *at = add(place_of(0, 4, 0), 0x00131b36, 0x070002, 0);
    put(at, 4, 0x00100400); /* capabilities, which lead into a circle; interrupts off */
    at->bytes[0x34] = 0x50;
    put(at, 0x50, 0x00005005);
    expect(prepare(false), "gave it no address");
    CHECK(at->writes == 0, "written to");
    put(at, 0x10, 0xc061);
    expect(prepare(false), NULL);
    CHECK(!result.uart.registers.memory && result.uart.registers.address == 0xc060, "%#lx",
          result.uart.registers.address);
    CHECK(result.shape_count == 1 && result.shapes[0].width == 1 && result.uart.clock == UART_CLOCK,
          "%u shapes", result.shape_count);
    CHECK(get(at, 4) == 0x00100403 && at->writes == 1, "command %08x", get(at, 4));
    expect(prepare(false), NULL);
    CHECK(at->writes == 1, "written to without need");
}

static void check_memory(void)
{
    start_board();
    struct function *at = add(place_of(0, 4, 0), 0x00131b36, 0x070002, 0);
    put(at, 0x10, 0xe0000004);
    put(at, 0x14, 0x12);
    expect(prepare(false), NULL);
    CHECK(result.uart.registers.address == 0x12e0000000 && mapped_at == 0x12e0000000, "%#lx",
          result.uart.registers.address);
    CHECK(result.shape_count == 2 && result.shapes[0].width == 1 && result.shapes[1].stride == 4,
          "%u shapes", result.shape_count);
    put(at, 0x14, 0x100000);
    expect(prepare(false), "no physical address");
    put(at, 0x10, 0xe0000000); /* 32 bits: what is behind is another register */
    expect(prepare(false), NULL);
    CHECK(mapped_at == 0xe0000000, "%#lx", mapped_at);
}

/* Where the board's map has memory, and where interrupts are delivered. */
static void check_what_is_taken(void)
{
    static const struct {
        uint64_t address;
        bool taken;
    } rows[] = {
        {0xa0000, true},     {0xfffe0, true},     {0x100000, true},     {0x1fffffe0, true},
        {0x1fffffe8, true},  {0x20000000, false}, {0x2fffffe0, false},  {0x2fffffe8, true},
        {0x30000000, true},  {0x40000000, false}, {0xfebfffe0, false},  {0xfebfffe8, true},
        {0xfec00000, true},  {0xfecfffe8, true},  {0xfedc9000, false},  {0xfee00000, true},
        {0xfef00000, false}, {0xfe030000, false}, {0x100000000, false},
    };
    struct uart uart = {0};

    start_board();
    boot_info.memory_count = 4;
    boot_info.memory[0] = (struct boot_memory_range){0, 0x9fc00, 1};
    boot_info.memory[1] = (struct boot_memory_range){0x100000, 0x1ff00000, 1};
    boot_info.memory[2] = (struct boot_memory_range){0x30000000, 0x10000000, 4};
    boot_info.memory[3] = (struct boot_memory_range){0xfe030000, 0x1000, 2};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uart.registers.address = rows[i].address;
        expect(uart_map(&uart, 32), rows[i].taken ? "there is memory" : NULL);
    }
    uart.registers.address = UINT64_MAX - 7;
    expect(uart_map(&uart, 32), "no physical address");
}

static void put_window(unsigned offset, uint32_t value)
{
    memcpy(window + offset, &value, 4);
}

static struct function *start_lpss(uint32_t ids)
{
    start_board();
    struct function *at = add(place_of(0, 4, 0), ids, 0x078000, 0);
    put(at, 0x10, 0xfe030004);
    put(at, 4, 0x00100006);
    at->bytes[0x34] = 0x40;
    put(at, 0x40, 0x00005009);
    put(at, 0x50, 0x00000001);
    put_window(0x200, 3125u << 16 | 48u << 1 | 1);
    put_window(0x204, 7);
    put_window(0x2fc, 0x10);
    return at;
}

static void check_lpss(void)
{
    struct function *at = start_lpss(0x9d278086);

    expect(prepare(false), NULL);
    CHECK(result.uart.clock == 1843200 && result.shape_count == 1, "%u Hz", result.uart.clock);
    CHECK(result.shapes[0].width == 4 && result.shapes[0].stride == 4, "no 32-bit accesses");
    CHECK(window_writes == 0, "what the firmware set up was changed");
    CHECK(pci_is_awake(&fourth), "asleep");
    put_window(0x200, 5u << 16 | 2u << 1 | 1);
    expect(prepare(false), NULL);
    CHECK(result.uart.clock == 48000000, "%u Hz", result.uart.clock);
    put_window(0x2fc, 0x00);
    expect(prepare(false), "no UART");
    put_window(0x2fc, 0xffffffff);
    expect(prepare(false), "no UART");
    put(at, 0x10, 0xc061);
    expect(prepare(false), "are ports");
}

/* In D3, its event pending, in reset, without a clock. */
static void check_sleeping_lpss(uint32_t ids)
{
    static const uint32_t clocks[] = {0,          1,           3125u << 16 | 48u << 1,
                                      0xfffffffe, 2u << 1 | 1, 1u << 16 | 2u << 1 | 1};

    for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
        struct function *at = start_lpss(ids);

        put(at, 0x54, 0x00008103);
        put(at, 4, 0x00100000);
        put_window(0x200, clocks[i]);
        put_window(0x204, 0);
        CHECK(!pci_is_awake(&fourth), "awake");
        expect(prepare(false), NULL);
        CHECK(get(at, 0x54) == 0x00000100 && get(at, 4) == 0x00100003, "%08x %08x", get(at, 0x54),
              get(at, 4));
        CHECK(now >= 10000 && at->ready > 0, "it had %lu us to wake up", now);
        CHECK(insn_load32(window + 0x204) == 7, "in reset");
        CHECK(result.uart.clock == 1843200, "%u Hz of %08x", result.uart.clock, clocks[i]);
        CHECK(pci_is_awake(&fourth), "asleep");
    }
}

/* One that a table names by its address: without its base addresses it is not there. */
static void check_forgetful(void)
{
    struct function *at = start_lpss(0x9d278086);

    at->resets = true;
    put(at, 0x54, 0x00000103);
    put(at, 0x14, 0x12);
    put(at, 0x18, 0xfe040000);
    now = 0;
    uart_pci_wake(&fourth);
    CHECK(get(at, 0x10) == 0xfe030004 && get(at, 0x14) == 0x12 && get(at, 0x18) == 0xfe040000,
          "%08x %08x %08x", get(at, 0x10), get(at, 0x14), get(at, 0x18));
    CHECK(get(at, 4) == 0x00100007, "command %08x, it was 6", get(at, 4));
    CHECK(at->writes == 6, "%u writes: the state, three addresses, the command twice", at->writes);
    CHECK(pci_is_awake(&fourth), "asleep");
}

/* One whose id is not known has a clock that is not known. */
static void check_by_hand(void)
{
    start_lpss(0x77778086);
    expect(prepare(false), "is no 16550: class 0780, programming interface 00");
    expect(prepare(true), NULL);
    CHECK(result.uart.clock == 0 && window_writes == 0, "%u Hz", result.uart.clock);
    put_window(0x200, 0);
    expect(prepare(true), NULL);
    CHECK(result.uart.clock == 0 && window_writes == 0, "%u Hz", result.uart.clock);
    start_lpss(0x77771234);
    expect(prepare(true), "is no 16550");
}

int main(void)
{
    check_search();
    check_circle();
    check_kinds();
    check_ports();
    check_memory();
    check_what_is_taken();
    check_lpss();
    check_sleeping_lpss(0x9d278086);
    check_sleeping_lpss(0xa0a88086);
    check_sleeping_lpss(0x4da88086);
    check_sleeping_lpss(0x43a78086);
    check_forgetful();
    check_by_hand();
    return check_result();
}
