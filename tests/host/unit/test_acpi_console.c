/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which UART do SPCR and DBG2 name, and what of tables that are damaged? */
#include "arch/cpu/tables/acpi.h"
#include "tests/host/unit/acpi_bytes.h"

static struct acpi_uart uart;

struct generic {
    unsigned space, bits, offset, access;
    uint64_t address;
};

static const struct generic com2 = {1, 8, 0, 1, 0x2f8};
static const struct generic memory32 = {0, 32, 0, 3, 0xfe030000};

static void put_generic(const struct generic *generic)
{
    put(generic->space, 1);
    put(generic->bits, 1);
    put(generic->offset, 1);
    put(generic->access, 1);
    put(generic->address, 8);
}

static const char *parse_spcr(void)
{
    uint8_t *copy = exact(used);
    const char *error = acpi_parse_spcr(copy, used, &uart);

    free(copy);
    return error;
}

static const char *parse_dbg2(void)
{
    uint8_t *copy = exact(used);
    const char *error = acpi_parse_dbg2(copy, used, &uart);

    free(copy);
    return error;
}

/* Baud code 7, no PCI function, no clock. */
static void make_spcr(unsigned revision, unsigned kind, const struct generic *generic)
{
    memset(table, 0, MOST);
    used = 36;
    put_at(8, revision, 1);
    put(kind, 4);
    put_generic(generic);
    put_at(58, 7, 1);
    put_at(64, 0xffffffff, 4);
    used = 80;
}

static const char *shapes(void)
{
    static char text[64];

    text[0] = '\0';
    for (unsigned i = 0; i < uart.shape_count; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u/%u ", uart.shapes[i].width,
                 uart.shapes[i].stride);
    return text;
}

static void check_spcr(void)
{
    make_spcr(1, 0, &com2);
    expect("revision 1", parse_spcr(), NULL);
    CHECK(!uart.in_memory && uart.address == 0x2f8 && !uart.is_pci, "%#lx", uart.address);
    CHECK(uart.says_rate && uart.rate == 115200 && uart.clock == 0, "%u baud", uart.rate);
    CHECK_TEXT(shapes(), "1/1 ");
    make_spcr(2, 0x12, &memory32);
    expect("a 16550 in memory", parse_spcr(), NULL);
    CHECK(uart.in_memory && uart.address == 0xfe030000 && !uart.is_lpss, "%#lx", uart.address);
    CHECK_TEXT(shapes(), "4/4 ");
    make_spcr(2, 0x14, &memory32);
    expect("LPSS", parse_spcr(), NULL);
    CHECK(uart.is_lpss, "no LPSS");
}

static void check_rates(void)
{
    static const struct {
        unsigned code, rate;
    } rows[] = {{0, 0}, {3, 9600}, {4, 19200}, {6, 57600}, {7, 115200}, {5, 0}, {255, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make_spcr(2, 0, &com2);
        put_at(58, rows[i].code, 1);
        expect("rate", parse_spcr(), NULL);
        CHECK(uart.rate == rows[i].rate, "code %u: %u baud", rows[i].code, uart.rate);
    }
}

/* Places that a revision does not have hold anything. */
static void check_clock_and_precise_rate(void)
{
    for (unsigned revision = 1; revision <= 5; revision++) {
        make_spcr(revision, 0, &com2);
        put_at(76, 48000000, 4);
        put_at(80, 921600, 4);
        used = 88;
        expect("clock", parse_spcr(), NULL);
        CHECK(uart.clock == (revision >= 3 ? 48000000 : 0), "revision %u: clock %u", revision,
              uart.clock);
        CHECK(uart.rate == (revision >= 4 ? 921600 : 115200), "revision %u: %u baud", revision,
              uart.rate);
    }
    make_spcr(4, 0, &com2);
    used = 88;
    expect("no precise rate", parse_spcr(), NULL);
    CHECK(uart.rate == 115200, "%u baud", uart.rate);
    used = 83;
    expect("cut before the precise rate", parse_spcr(), NULL);
}

static void check_pci(void)
{
    make_spcr(2, 0, &(struct generic){1, 8, 0, 1, 0});
    put_at(64, 0x9d66, 2);
    put_at(66, 0x8086, 2);
    put_at(68, 0x01, 1);
    put_at(69, 0x1f, 1);
    put_at(70, 7, 1);
    expect("a PCI function without an address", parse_spcr(), NULL);
    CHECK(uart.is_pci && uart.pci_device == 0x9d66 && uart.pci_vendor == 0x8086, "ids");
    CHECK(uart.pci.bus == 1 && uart.pci.device == 0x1f && uart.pci.function == 7, "place");
    put_at(75, 1, 1);
    expect("segment 1", parse_spcr(), "address is 0");
    put_at(75, 0, 1);
    put_at(69, 0x20, 1);
    expect("device 32", parse_spcr(), "address is 0");
    put_at(69, 0x1f, 1);
    put_at(70, 8, 1);
    expect("function 8", parse_spcr(), "address is 0");
}

struct shape_row {
    struct generic generic;
    const char *shapes; /* or NULL, and */
    const char *why;
};

static void check_shapes(void)
{
    static const struct shape_row rows[] = {
        {{0, 8, 0, 1, 0x1000}, "1/1 ", NULL},
        {{0, 16, 0, 2, 0x1000}, "2/2 ", NULL},
        {{0, 32, 0, 3, 0x1000}, "4/4 ", NULL},
        {{0, 8, 0, 3, 0x1000}, "4/4 ", NULL},
        {{0, 32, 0, 1, 0x1000}, "1/1 1/4 ", NULL},
        {{0, 16, 0, 1, 0x1000}, "1/1 1/2 ", NULL},
        {{0, 32, 0, 2, 0x1000}, "2/2 2/4 ", NULL},
        {{0, 32, 0, 0, 0x1000}, "4/4 ", NULL},
        {{0, 8, 0, 0, 0x1000}, "1/1 ", NULL},
        {{0, 0, 0, 1, 0x1000}, "1/1 ", NULL},
        {{0, 255, 0, 3, 0x1000}, "4/4 ", NULL},
        {{0, 0, 0, 0, 0x1000}, NULL, "neither access size nor width (0)"},
        {{0, 64, 0, 0, 0x1000}, NULL, "neither access size nor width (64)"},
        {{0, 64, 0, 4, 0x1000}, NULL, "access size 4"},
        {{0, 8, 0, 255, 0x1000}, NULL, "access size 255"},
        {{0, 8, 4, 1, 0x1000}, NULL, "begin at bit 4"},
        {{1, 0, 0, 0, 0x3e8}, "1/1 ", NULL},
        {{1, 8, 0, 0, 0x3e8}, "1/1 ", NULL},
        {{1, 32, 0, 3, 0x400}, "1/1 4/4 ", NULL},
        {{1, 32, 0, 1, 0x400}, "1/1 1/4 ", NULL},
        {{1, 8, 0, 5, 0x3e8}, NULL, "access size 5"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make_spcr(2, 0x12, &rows[i].generic);
        expect("shape", parse_spcr(), rows[i].why);
        if (rows[i].why == NULL)
            CHECK_TEXT(shapes(), rows[i].shapes);
    }
    make_spcr(2, 0x14, &(struct generic){0, 8, 0, 1, 0x1000});
    expect("LPSS whose address says bytes", parse_spcr(), NULL);
    CHECK_TEXT(shapes(), "4/4 ");
}

struct bad_row {
    unsigned revision, kind;
    struct generic generic;
    const char *why;
};

static void check_bad_places(void)
{
    static const struct bad_row rows[] = {
        {2, 3, {0, 32, 0, 3, 0xfe030000}, "interface 0x03 is no 16550"},
        {2, 0xff, {0, 32, 0, 3, 0xfe030000}, "interface 0xff is no 16550"},
        {1, 0x12, {0, 32, 0, 3, 0xfe030000}, "interface 0x12 is unknown in revision 1"},
        {2, 0, {2, 8, 0, 1, 0x3f8}, "space 2 is neither memory nor ports"},
        {2, 0, {0x7f, 8, 0, 1, 0x3f8}, "space 127 is neither"},
        {2, 0, {1, 8, 0, 1, 0}, "address is 0"},
        {2, 0x12, {0, 32, 0, 3, 0}, "address is 0"},
        {2, 0, {1, 8, 0, 1, 0x3f9}, "0x3f9 is no multiple of 8"},
        {2, 0, {0, 8, 0, 1, 0xfe030001}, "0xfe030001 is no multiple of 8"},
        {2, 0, {1, 8, 0, 1, 0x60}, "port 0x60 is none"},
        {2, 0, {1, 8, 0, 1, 0x10000}, "port 0x10000 is none"},
        {2, 0, {1, 8, 0, 1, 0x1000000000000}, "port 0x1000000000000 is none"},
        {2, 0, {1, 32, 0, 3, 0xfff8}, "port 0xfff8 is none"},
        {2, 0x14, {1, 8, 0, 1, 0x3f8}, "LPSS UART in ports"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make_spcr(rows[i].revision, rows[i].kind, &rows[i].generic);
        expect("bad place", parse_spcr(), rows[i].why);
    }
    make_spcr(2, 0, &(struct generic){1, 8, 0, 1, 0xfff8});
    expect("the last port", parse_spcr(), NULL);
    for (used = 36; used < 80; used++)
        expect("cut", parse_spcr(), "too short");
}

#define PORT_SIZE 22u

/* At used, with its address right behind; more bytes behind that. */
static void put_port(unsigned type, unsigned subtype, const struct generic *generic, unsigned more)
{
    size_t start = used;

    put(0, 1);
    put(PORT_SIZE + 12 + more, 2);
    put(1, 1);
    put(0, 8);
    put(type, 2);
    put(subtype, 2);
    put(0, 2);
    put(PORT_SIZE, 2);
    put(0, 2);
    CHECK(used == start + PORT_SIZE, "%zu", used - start);
    put_generic(generic);
    put(0, more);
}

static void make_dbg2(unsigned count)
{
    memset(table, 0, MOST);
    used = 36;
    put(44, 4);
    put(count, 4);
}

static void check_dbg2(void)
{
    make_dbg2(1);
    put_port(0x8000, 0x12, &memory32, 0);
    expect("a 16550 in memory", parse_dbg2(), NULL);
    CHECK(uart.in_memory && uart.address == 0xfe030000 && !uart.says_rate, "%#lx", uart.address);
    make_dbg2(3);
    put_port(0x8003, 0, &memory32, 5);
    put_port(0x8000, 3, &memory32, 9);
    put_port(0x8000, 1, &com2, 0);
    expect("the third of three", parse_dbg2(), NULL);
    CHECK(!uart.in_memory && uart.address == 0x2f8, "%#lx", uart.address);
    make_dbg2(2);
    put_port(0x8003, 0, &memory32, 5);
    put_port(0x8000, 3, &memory32, 9);
    expect("neither of two", parse_dbg2(), "port of type 0x8003 is no serial one");
    make_dbg2(0);
    expect("none", parse_dbg2(), "lists no port");
}

static void check_bad_dbg2(void)
{
    make_dbg2(1);
    put_port(0x8000, 0, &com2, 0);
    for (size_t whole = used; used > 44; used--)
        expect("cut", parse_dbg2(), used == whole ? NULL : used < 44 + PORT_SIZE ? "outside" : "");
    make_dbg2(1);
    for (used = 36; used < 44; used++)
        expect("cut", parse_dbg2(), "too short");
    make_dbg2(0xffffffff);
    put_port(0x8003, 0, &com2, 0);
    expect("more than there are", parse_dbg2(), "no serial one");
    static const uint32_t offsets[] = {0, 43, 79, 100000, 0xffffffff};
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        make_dbg2(1);
        put_port(0x8000, 0, &com2, 0);
        put_at(36, offsets[i], 4);
        expect("offset", parse_dbg2(), "begin outside of it");
    }
}

/* One number of a good port changed. */
static void check_bad_ports(void)
{
    static const struct {
        size_t at, size;
        uint64_t value;
        const char *why;
    } rows[] = {
        {1, 2, 0, "impossible length, 0"},
        {1, 2, 21, "impossible length, 21"},
        {1, 2, 35, "impossible length, 35"},
        {1, 2, 0xffff, "impossible length"},
        {3, 1, 0, "without an address"},
        {12, 2, 0, "type 0x0000"},
        {14, 2, 0x1212, "interface 0x1212 is no 16550"},
        {18, 2, 0, "outside its description, at 0"},
        {18, 2, 21, "outside its description, at 21"},
        {18, 2, 23, "outside its description, at 23"},
        {18, 2, 0xffff, "outside its description, at 65535"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make_dbg2(1);
        put_port(0x8000, 0, &com2, 0);
        put_at(44 + rows[i].at, rows[i].value, rows[i].size);
        expect("bad port", parse_dbg2(), rows[i].why);
    }
}

/* Whatever the bytes: an answer, and no look outside, which the sanitizer watches. */
static void check_noise(void)
{
    uint32_t state = 1;

    for (unsigned round = 0; round < 20000; round++) {
        make_dbg2(1 + round % 5);
        for (unsigned i = 0; i < 3; i++)
            put_port(0x8000, round % 3 == 0 ? 0x12 : 0, &memory32, round % 7);
        for (unsigned i = 0; i < 1 + round % 8; i++) {
            state = state * 1664525 + 1013904223;
            put_at(36 + (state >> 8) % (used - 36), state >> 24, 1);
        }
        const char *why = parse_dbg2();
        CHECK(why != NULL || uart.shape_count > 0, "neither a reason nor a UART");
        why = parse_spcr();
        CHECK(why != NULL || uart.shape_count > 0, "neither a reason nor a UART");
    }
}

int main(void)
{
    check_spcr();
    check_rates();
    check_clock_and_precise_rate();
    check_pci();
    check_shapes();
    check_bad_places();
    check_dbg2();
    check_bad_dbg2();
    check_bad_ports();
    check_noise();
    return check_result();
}
