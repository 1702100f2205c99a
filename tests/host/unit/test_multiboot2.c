/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the reader of the loader's information take what is good, name what is bad, and never look
 * outside the bytes it was given? (The sanitizers watch: every buffer has exactly its size.) */
#include "boot/boot_info.h"
#include <stdint.h>
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define MOST 32768u

static uint8_t bytes[MOST]; /* the information being put together */
static size_t used;
static struct boot_info info;

static void put(uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[used++] = (uint8_t)(value >> (8 * i));
}

static void start(void)
{
    used = 0;
    put(0, 8);
}

/* A tag header whose size field counts payload bytes that the caller puts next. */
static void tag(uint32_t type, size_t payload)
{
    while (used % 8 != 0)
        put(0, 1);
    put(type, 4);
    put(8 + payload, 4);
}

static void text_tag(uint32_t type, const char *text)
{
    tag(type, strlen(text) + 1);
    for (size_t i = 0; i <= strlen(text); i++)
        put((uint8_t)text[i], 1);
}

static void set_total(uint32_t total)
{
    memcpy(bytes, &total, 4);
}

static void finish(void)
{
    tag(0, 0);
    set_total((uint32_t)used);
}

/* Parses a copy in a block of exactly limit bytes. */
static const char *parse(size_t limit)
{
    uint8_t *copy = malloc(limit ? limit : 1);
    memcpy(copy, bytes, limit);
    const char *error = multiboot2_parse(copy, limit, &info);
    free(copy);
    CHECK(error == info.error, "returned and stored error differ");
    return error;
}

static void expect(const char *what, const char *expected)
{
    const char *error = parse(used);
    if (expected == NULL)
        CHECK(error == NULL, "%s: refused: %s", what, error);
    else
        CHECK(error != NULL && strstr(error, expected) != NULL, "%s: expected '%s', got '%s'", what,
              expected, error ? error : "no error");
}

static void put_memory_map(uint32_t entry_size, uint32_t entries)
{
    tag(6, 8 + (size_t)entry_size * entries);
    put(entry_size, 4);
    put(0, 4);
    for (uint32_t i = 0; i < entries; i++) {
        put(0x100000ull * i, 8);
        put(0x1000 + i, 8);
        put(i % 2 + 1, 4);
        for (uint32_t pad = 20; pad < entry_size; pad++)
            put(0xee, 1);
    }
}

static uint8_t colour_fields[6] = {16, 8, 8, 8, 0, 8}; /* position and bits of each */

static void put_framebuffer(uint8_t type, uint32_t pitch, uint8_t bits, size_t colours)
{
    tag(8, 24 + colours);
    put(0xfd000000, 8);
    put(pitch, 4);
    put(1024, 4);
    put(768, 4);
    put(bits, 1);
    put(type, 1);
    put(0, 2);
    for (size_t i = 0; i < colours; i++)
        put(colour_fields[i % 6], 1);
}

static void put_rsdp(uint32_t type, size_t size, uint8_t fill)
{
    tag(type, size);
    for (size_t i = 0; i < size; i++)
        put(fill, 1);
}

static void check_everything_good(void)
{
    start();
    text_tag(1, "test=probe.* seed=7");
    text_tag(2, "GRUB 2.06");
    put_memory_map(32, 3);
    put_framebuffer(1, 4096, 32, 6);
    put_rsdp(15, 36, 0x15);
    put_rsdp(14, 20, 0x14);
    tag(12, 8);
    put(0x7e9ec018, 8);
    text_tag(999, "unknown tags are skipped");
    finish();
    expect("everything", NULL);
    CHECK_TEXT(info.command_line, "test=probe.* seed=7");
    CHECK_TEXT(info.loader_name, "GRUB 2.06");
    CHECK(info.memory_count == 3 && !info.memory_truncated, "%zu ranges", info.memory_count);
    CHECK(info.memory[2].base == 0x200000 && info.memory[2].length == 0x1002 &&
              info.memory[2].type == 1,
          "third range");
    CHECK(info.framebuffer.type == BOOT_FRAMEBUFFER_RGB, "type %d", info.framebuffer.type);
    CHECK(info.framebuffer.physical == 0xfd000000 && info.framebuffer.width == 1024 &&
              info.framebuffer.red.position == 16 && info.framebuffer.green.position == 8 &&
              info.framebuffer.blue.position == 0 && info.framebuffer.blue.bits == 8,
          "framebuffer fields");
    CHECK(info.rsdp_length == 36 && info.rsdp[0] == 0x15, "RSDP of revision 2 is preferred");
    CHECK(info.firmware == BOOT_FIRMWARE_EFI, "an EFI tag means EFI");
    CHECK(info.efi_system_table == 0x7e9ec018, "the EFI system table");
}

static void check_efi_tags(void)
{
    for (uint32_t type = 11; type <= 18; type += type == 12 ? 5 : 1) {
        start();
        tag(type, 8);
        put(0x1234, 8);
        finish();
        expect("an EFI tag", NULL);
        CHECK(info.firmware == BOOT_FIRMWARE_EFI, "tag %u means EFI", type);
        CHECK(info.efi_system_table == (type == 12 ? 0x1234 : 0), "tag %u", type);
    }
    start();
    tag(12, 4);
    put(0, 4);
    finish();
    expect("half an address", "too short for its address");
}

static void check_least(void)
{
    start();
    finish();
    expect("no tags", NULL);
    CHECK(info.command_line[0] == 0 && info.rsdp_length == 0 && info.memory_count == 0, "empty");
    CHECK(info.firmware == BOOT_FIRMWARE_BIOS, "no EFI tag means BIOS");
}

static void check_rsdp_order(void)
{
    start();
    put_rsdp(14, 20, 0x14);
    put_rsdp(15, 36, 0x15);
    finish();
    expect("old RSDP first", NULL);
    CHECK(info.rsdp_length == 36 && info.rsdp[0] == 0x15, "RSDP of revision 2 is preferred");
    start();
    put_rsdp(14, 19, 0x14);
    finish();
    expect("short old RSDP", "too short for its RSDP");
    start();
    put_rsdp(15, 35, 0x15);
    finish();
    expect("short new RSDP", "too short for its RSDP");
}

static void check_texts(void)
{
    static char longest[BOOT_COMMAND_LINE_SIZE + 1];
    memset(longest, 'x', BOOT_COMMAND_LINE_SIZE);
    start();
    text_tag(1, longest + 1);
    finish();
    expect("a command line that just fits", NULL);
    CHECK(!info.command_line_truncated && strlen(info.command_line) == BOOT_COMMAND_LINE_SIZE - 1,
          "length %zu", strlen(info.command_line));
    start();
    text_tag(1, longest);
    finish();
    expect("a command line one too long", NULL);
    CHECK(info.command_line_truncated, "truncation is said");
    start();
    tag(1, 4);
    put(0x61616161, 4);
    finish();
    expect("a command line without an end", "command line does not end");
    start();
    tag(1, 0);
    finish();
    expect("a command line tag without a byte", "command line does not end");
    start();
    tag(2, 3);
    put(0x616161, 3);
    finish();
    expect("a loader name without an end", "loader name does not end");
    static const char *const lines[][2] = {
        {"/boot/b.elf list", "list"}, {"/b.elf", ""}, {"test=/b /c", "test=/b /c"}};
    for (size_t i = 0; i < 3; i++) {
        start();
        text_tag(1, lines[i][0]);
        finish();
        expect("a command line with the kernel's path", NULL);
        CHECK_TEXT(info.command_line, lines[i][1]);
    }
    start();
    text_tag(1, "a");
    text_tag(1, "b");
    finish();
    expect("two command lines", "comes twice");
}

static void check_memory_map(void)
{
    start();
    put_memory_map(24, BOOT_MEMORY_RANGE_COUNT + 1);
    finish();
    expect("too many ranges", NULL);
    CHECK(info.memory_truncated && info.memory_count == BOOT_MEMORY_RANGE_COUNT, "truncated");
    const struct {
        uint32_t entry_size, payload;
        const char *error;
    } bad[] = {{0, 24, "impossible entry size"},  {16, 16, "impossible entry size"},
               {20, 20, "impossible entry size"}, {28, 28, "impossible entry size"},
               {24, 25, "whole number"},          {0xfffffff8, 24, "whole number"}};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        start();
        tag(6, 8 + bad[i].payload);
        put(bad[i].entry_size, 4);
        put(0, 4);
        for (uint32_t n = 0; n < bad[i].payload; n++)
            put(0, 1);
        finish();
        expect("bad memory map", bad[i].error);
    }
    start();
    tag(6, 4);
    put(24, 4);
    finish();
    expect("a memory map without its head", "too short");
    start();
    tag(6, 8 + 24);
    put(24, 8);
    put(UINT64_MAX - 15, 8);
    put(UINT64_MAX, 8);
    put(1, 8);
    finish();
    expect("a range around the end of the address space", NULL);
    CHECK(info.memory[0].length == 15, "clipped, got %llx",
          (unsigned long long)info.memory[0].length);
}

/* Fields of any width and place, as long as they lie in the pixel; a width of 1024 pixels. */
static void check_depths(void)
{
    static const struct {
        uint32_t pitch;
        uint8_t bits, fields[6];
        bool usable;
    } cases[] = {
        {2048, 15, {10, 5, 5, 5, 0, 5}, true},     {2048, 16, {11, 5, 5, 6, 0, 5}, true},
        {2047, 16, {11, 5, 5, 6, 0, 5}, false},    {2047, 15, {10, 5, 5, 5, 0, 5}, false},
        {4096, 32, {20, 10, 10, 10, 0, 10}, true}, {4096, 32, {0, 8, 8, 8, 16, 8}, true},
        {2048, 16, {12, 5, 5, 6, 0, 5}, false},    {2048, 16, {11, 5, 5, 0, 0, 5}, false},
        {2048, 15, {11, 5, 5, 5, 0, 5}, false},    {4096, 32, {25, 8, 8, 8, 0, 8}, false},
        {4096, 32, {0, 17, 0, 8, 0, 8}, false},    {4096, 30, {20, 10, 10, 10, 0, 10}, false},
        {3072, 24, {16, 8, 8, 8, 0, 8}, true},     {3071, 24, {16, 8, 8, 8, 0, 8}, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        memcpy(colour_fields, cases[i].fields, sizeof(colour_fields));
        start();
        put_framebuffer(1, cases[i].pitch, cases[i].bits, 6);
        finish();
        expect("framebuffer", NULL);
        CHECK((info.framebuffer.type == BOOT_FRAMEBUFFER_RGB) == cases[i].usable, "case %zu", i);
        CHECK(!cases[i].usable || (info.framebuffer.green.position == cases[i].fields[2] &&
                                   info.framebuffer.green.bits == cases[i].fields[3]),
              "case %zu: green", i);
    }
    memcpy(colour_fields, (uint8_t[]){16, 8, 8, 8, 0, 8}, sizeof(colour_fields));
}

static void check_framebuffers(void)
{
    const struct {
        uint8_t type;
        uint32_t pitch;
        uint8_t bits;
        size_t colours;
        enum boot_framebuffer_type expected;
    } cases[] = {
        {1, 4096, 32, 6, BOOT_FRAMEBUFFER_RGB},  {1, 3072, 24, 6, BOOT_FRAMEBUFFER_RGB},
        {2, 2048, 16, 0, BOOT_FRAMEBUFFER_TEXT}, {1, 4095, 32, 6, BOOT_FRAMEBUFFER_NONE},
        {1, 2048, 16, 6, BOOT_FRAMEBUFFER_NONE}, {1, 1024, 0, 6, BOOT_FRAMEBUFFER_NONE},
        {0, 1024, 8, 6, BOOT_FRAMEBUFFER_NONE},  {9, 4096, 32, 6, BOOT_FRAMEBUFFER_NONE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start();
        put_framebuffer(cases[i].type, cases[i].pitch, cases[i].bits, cases[i].colours);
        finish();
        expect("framebuffer", NULL);
        CHECK(info.framebuffer.type == cases[i].expected, "case %zu: type %d", i,
              info.framebuffer.type);
    }
    check_depths();
    start();
    put_framebuffer(1, 4096, 32, 5);
    finish();
    expect("an RGB framebuffer without all colours", "no colour information");
    start();
    tag(8, 23);
    for (int i = 0; i < 23; i++)
        put(1, 1);
    finish();
    expect("a short framebuffer tag", "framebuffer tag is too short");
}

static void check_walk(void)
{
    start();
    set_total(8);
    expect("no tag at all", "too short to hold a tag");
    CHECK(parse(7) != NULL, "seven bytes are no information");
    start();
    text_tag(1, "x");
    finish();
    CHECK(parse(used - 1) != NULL, "more than there is");
    set_total((uint32_t)used - 8);
    expect("no end tag", "no end tag");
    start();
    put(1, 4);
    put(7, 4);
    finish();
    expect("a tag of seven bytes", "shorter than its own header");
    start();
    put(1, 4);
    put(0, 4);
    finish();
    expect("a tag of no bytes", "shorter than its own header");
    start();
    put(77, 4);
    put(0xffffffff, 4);
    finish();
    expect("an enormous tag", "past the end");
    start();
    put(0, 4);
    put(16, 4);
    put(0, 8);
    set_total((uint32_t)used);
    expect("an end tag of 16 bytes", "end tag");
}

/* Every single-byte change of a good information: no hang, no byte outside it touched. */
static void check_damage(void)
{
    static const uint8_t values[] = {0, 1, 7, 8, 9, 0x7f, 0x80, 0xff};
    unsigned refused = 0;
    check_everything_good();
    for (size_t at = 0; at < used; at++) {
        uint8_t was = bytes[at];
        for (size_t i = 0; i < sizeof(values); i++) {
            bytes[at] = values[i];
            refused += parse(used) != NULL;
            CHECK(memchr(info.command_line, 0, sizeof(info.command_line)) != NULL, "byte %zu", at);
            CHECK(info.memory_count <= BOOT_MEMORY_RANGE_COUNT, "byte %zu", at);
        }
        bytes[at] = was;
    }
    CHECK(refused > 100, "only %u damaged ones were refused", refused);
    for (size_t size = 0; size < used; size++)
        CHECK(parse(size) != NULL, "cut to %zu bytes and accepted", size);
}

int main(void)
{
    check_everything_good();
    check_least();
    check_rsdp_order();
    check_efi_tags();
    check_texts();
    check_memory_map();
    check_framebuffers();
    check_walk();
    check_damage();
    return check_result();
}
