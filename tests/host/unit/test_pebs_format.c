/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is every field of a PEBS record of each format, and of an architectural one, found where it
 * stands? */
#include <inttypes.h>
#include <stdlib.h>
#include "arch/trace/pebs_format.h"
#include "tests/host/unit/check.h"

/* Quadword number n of the record; exactly as long as the record, so that the sanitizer sees a
 * decoder that reads past its end. */
static uint64_t *numbered(size_t size)
{
    uint64_t *words = malloc(size);

    for (size_t i = 0; i < size / 8; i++)
        words[i] = 0x1000 + 8 * i;
    return words;
}

#define AT(offset) (0x1000ull + (offset))
#define DEPTH      32u /* of the LBR stack */

static void check_value(const char *what, uint64_t got, uint64_t expected)
{
    CHECK(got == expected, "%s: expected %#" PRIx64 ", got %#" PRIx64, what, expected, got);
}

static void check_gprs(const struct pebs_record *record, const uint16_t *offsets)
{
    for (unsigned i = 0; i < GPR_COUNT; i++)
        check_value(gpr_names[i], record->gpr[i], AT(offsets[i]));
}

/* By register number: RAX RCX RDX RBX RSP RBP RSI RDI R8 … */
static const uint16_t fixed_offsets[GPR_COUNT] = {0x10, 0x20, 0x28, 0x18, 0x48, 0x40, 0x30, 0x38,
                                                  0x50, 0x58, 0x60, 0x68, 0x70, 0x78, 0x80, 0x88};

/* The record of the configuration, with the masks of counters that it names, and metrics. */
static struct pebs_record decode_kind(const struct pebs_kind *kind, uint64_t config)
{
    size_t size = pebs_format_size(kind->format, config), counters = 0;
    uint64_t *words = numbered(size);
    struct pebs_record record;

    if (kind->format >= PEBS_FORMAT_ADAPTIVE)
        words[0] = pebs_format_said(kind, config) | (uint64_t)size << 48;
    if (kind->timed)
        words[0] |= 0x1234ull << 32;
    if (kind->format >= PEBS_FORMAT_COUNTERS && config & PEBS_DATA_COUNTERS) {
        counters = pebs_format_size(kind->format, config & 0xff00000f) / 8;
        words[counters] = (config >> 32 & 0xffff) | (config >> 48 & 0xff) << 32;
        words[counters + 1] = config & PEBS_DATA_METRICS ? 3 : 0;
    }
    CHECK(pebs_format_decode(kind, words, &record), "format %u", kind->format);
    check_value("size", record.size, size);
    free(words);
    return record;
}

static struct pebs_record decode(unsigned format, uint64_t config, bool registers)
{
    const struct pebs_kind kind = {.format = format, .registers = registers};

    return decode_kind(&kind, config);
}

static void test_sizes(void)
{
    const uint64_t all = PEBS_DATA_MEMORY | PEBS_DATA_GPRS | PEBS_DATA_XMM | PEBS_DATA_LBRS |
                         PEBS_DATA_LBR_ENTRIES(32);
    const uint64_t every_counter =
        PEBS_DATA_COUNTERS | PEBS_DATA_METRICS | PEBS_DATA_GENERAL(0xffff) | PEBS_DATA_FIXED(0xff);

    check_value("format 0", pebs_format_size(0, 0), 144);
    check_value("format 1", pebs_format_size(1, 0), 176);
    check_value("format 2", pebs_format_size(2, 0), 192);
    check_value("format 3", pebs_format_size(3, 0), 200);
    check_value("format 4, basic", pebs_format_size(4, 0), 32);
    check_value("memory", pebs_format_size(4, PEBS_DATA_MEMORY), 64);
    check_value("GPRs", pebs_format_size(4, PEBS_DATA_GPRS), 176);
    check_value("XMM", pebs_format_size(4, PEBS_DATA_XMM), 288);
    check_value("one LBR", pebs_format_size(4, PEBS_DATA_LBRS), 56);
    check_value("LBR entries unasked for", pebs_format_size(4, PEBS_DATA_LBR_ENTRIES(8)), 32);
    check_value("all of format 4", pebs_format_size(4, all), 1232);
    check_value("all of format 5", pebs_format_size(5, all), 1232);
    check_value("format 5, counters unknown", pebs_format_size(5, all | every_counter), 1232);
    check_value("two counters", pebs_format_size(6, PEBS_DATA_COUNTERS | PEBS_DATA_GENERAL(9)), 64);
    check_value("masks unasked for", pebs_format_size(6, PEBS_DATA_GENERAL(9)), 32);
    check_value("all of format 6", pebs_format_size(6, all | every_counter), PEBS_RECORD_BYTES_MAX);
    check_value("format 7", pebs_format_size(7, 0), 0);
}

static void test_format_0(void)
{
    struct pebs_record record = decode(0, 0, true);

    check_value("flags", record.flags, AT(0));
    check_value("ip", record.ip, AT(8));
    CHECK(record.has_state_ip && record.has_gprs, "format 0 has the state");
    check_gprs(&record, fixed_offsets);
    CHECK(!record.has_global_status && !record.has_applicable && !record.has_eventing_ip &&
              !record.has_tsc && !record.has_memory && !record.has_xmm && !record.lbr_count,
          "format 0 has nothing else");
}

static void test_without_registers(void)
{
    struct pebs_record record = decode(0, 0, false);

    CHECK(record.has_state_ip && !record.has_gprs, "only IP and flags");
    check_value("ip", record.ip, AT(8));
    check_value("RAX", record.gpr[GPR_RAX], 0);
}

static void test_formats_1_and_2(void)
{
    struct pebs_record record = decode(1, 0, true);

    CHECK(record.has_global_status && record.has_memory && !record.has_eventing_ip &&
              !record.has_applicable && !record.has_tsc,
          "format 1");
    check_value("status", record.global_status, AT(0x90));
    check_value("address", record.address, AT(0x98));
    check_value("data source", record.data_source, AT(0xa0));
    check_value("latency", record.latency, AT(0xa8));
    record = decode(2, 0, true);
    CHECK(record.has_global_status && record.has_eventing_ip && !record.has_tsc, "format 2");
    check_value("eventing IP", record.eventing_ip, AT(0xb0));
    check_value("transaction", record.transaction, AT(0xb8));
    check_gprs(&record, fixed_offsets);
}

static void test_format_3(void)
{
    struct pebs_record record = decode(3, 0, true);

    CHECK(!record.has_global_status && record.has_applicable && record.has_tsc, "format 3");
    check_value("applicable", record.applicable, AT(0x90));
    check_value("eventing IP", record.eventing_ip, AT(0xb0));
    check_value("TSC", record.tsc, AT(0xc0));
}

static void test_adaptive_basic(void)
{
    struct pebs_record record = decode(4, 0, true);

    check_value("eventing IP", record.eventing_ip, AT(8));
    check_value("applicable", record.applicable, AT(0x10));
    check_value("TSC", record.tsc, AT(0x18));
    check_value("its own size", record.format_size, 32);
    check_value("its own configuration", record.format_config, 0);
    CHECK(record.has_format && !record.has_state_ip && !record.has_gprs && !record.has_memory,
          "basic group alone");
}

static void test_adaptive_groups(void)
{
    static const uint16_t offsets[GPR_COUNT] = {0x50, 0x58, 0x60, 0x68, 0x70, 0x78, 0x80, 0x88,
                                                0x90, 0x98, 0xa0, 0xa8, 0xb0, 0xb8, 0xc0, 0xc8};
    const uint64_t config = PEBS_DATA_MEMORY | PEBS_DATA_GPRS | PEBS_DATA_XMM | PEBS_DATA_LBRS |
                            PEBS_DATA_LBR_ENTRIES(2);
    struct pebs_record record = decode(4, config, true);

    check_value("address", record.address, AT(0x20));
    check_value("transaction", record.transaction, AT(0x38));
    check_value("flags", record.flags, AT(0x40));
    check_value("ip", record.ip, AT(0x48));
    check_gprs(&record, offsets);
    check_value("XMM0 low", record.xmm[0][0], AT(0xd0));
    check_value("XMM15 high", record.xmm[15][1], AT(0x1c8));
    check_value("LBR entries", record.lbr_count, 2);
    check_value("LBR 0 FROM", record.lbr[0].from, AT(0x1d0));
    check_value("LBR 0 info", record.lbr[0].info, AT(0x1e0));
    check_value("LBR 1 TO", record.lbr[1].to, AT(0x1f0));
    check_value("its own configuration", record.format_config, config);
    check_value("its own size", record.format_size, 0x200);
}

static void test_groups_move_up(void)
{
    struct pebs_record record = decode(4, PEBS_DATA_XMM, true);

    check_value("XMM0 low", record.xmm[0][0], AT(0x20));
    record = decode(4, PEBS_DATA_GPRS | PEBS_DATA_LBRS, true);
    check_value("LBR 0 FROM", record.lbr[0].from, AT(0xb0));
    check_value("flags", record.flags, AT(0x20));
}

/* Masks with holes: values stand without gaps, and are found by the counter's number. */
static void test_counters(void)
{
    const uint64_t config = PEBS_DATA_GPRS | PEBS_DATA_COUNTERS | PEBS_DATA_METRICS |
                            PEBS_DATA_GENERAL(0x205) | PEBS_DATA_FIXED(0x41);
    struct pebs_record record = decode(6, config, true);

    CHECK(record.has_counters, "format 6 has counters");
    check_value("general mask", record.general_mask, 0x205);
    check_value("fixed mask", record.fixed_mask, 0x41);
    check_value("PMC0", record.general[0], AT(0xc0));
    check_value("PMC1, not asked for", record.general[1], 0);
    check_value("PMC2", record.general[2], AT(0xc8));
    check_value("PMC9", record.general[9], AT(0xd0));
    check_value("fixed 0", record.fixed[0], AT(0xd8));
    check_value("fixed 6", record.fixed[6], AT(0xe0));
    check_value("slots", record.slots, AT(0xe8));
    check_value("metrics", record.metrics, AT(0xf0));
    check_value("its own configuration", record.format_config, config & 0xffffffff);
}

/* A record of format 6 that says more than its configuration. */
static struct pebs_record decode_untimed(void)
{
    const struct pebs_kind kind = {.format = 6};
    uint64_t words[4] = {32ull << 48 | 0x77ull << 32};
    struct pebs_record record;

    CHECK(pebs_format_decode(&kind, words, &record), "format 6");
    return record;
}

static void test_timed(void)
{
    const struct pebs_kind kind = {.format = 4, .timed = true};
    struct pebs_record record = decode_kind(&kind, PEBS_DATA_XMM);

    check_value("retire latency", record.retire_latency, 0x1234);
    check_value("its own configuration", record.format_config, PEBS_DATA_XMM);
    record = decode(4, PEBS_DATA_XMM, true);
    check_value("latency where none is enumerated", record.retire_latency, 0);
    check_value("nor is it anything else", record.beside_config, 0);
    record = decode_untimed();
    check_value("latency where none is enumerated", record.retire_latency, 0);
    check_value("something in its place", record.beside_config, 0x77);
}

/* What the record says decides, even where it says less than was asked for. */
static void test_decoded_by_itself(void)
{
    const struct pebs_kind kind = {.format = 5};
    uint64_t *words = numbered(pebs_format_size(5, PEBS_DATA_GPRS));
    struct pebs_record record;

    words[0] = 32ull << 48;
    pebs_format_decode(&kind, words, &record);
    check_value("size", record.size, 32);
    CHECK(!record.has_state_ip, "basic group alone");
    free(words);
}

static void test_unknown_format(void)
{
    const struct pebs_kind kind = {.format = 7};
    struct pebs_record record;
    uint64_t word = 0;

    CHECK(!pebs_format_decode(&kind, &word, &record), "format 7 is not known");
}

/* ---- architectural PEBS: in whatever fragments a record comes ---- */

static struct pebs_arch_record decode_arch(const uint64_t *words, size_t size)
{
    struct pebs_arch_record record;

    CHECK(pebs_arch_format_decode(words, size, DEPTH, &record), "a record of %zu bytes", size);
    check_value("size", record.common.size, size);
    return record;
}

static void test_arch_basic(void)
{
    uint64_t *words = numbered(64);
    struct pebs_arch_record record;

    words[0] = PEBS_ARCH_BASIC | 1u << 30 | 64;
    words[5] = 0x10123;
    record = decode_arch(words, 64);
    CHECK(record.whole && record.is_64_bits && record.fragments == 1, "one whole fragment");
    check_value("IP", record.common.eventing_ip, AT(0x10));
    check_value("applicable", record.common.applicable, AT(0x18));
    check_value("TSC", record.common.tsc, AT(0x20));
    CHECK(record.has_latency, "the retire latency is valid");
    check_value("retire latency", record.common.retire_latency, 0x123);
    CHECK(!record.common.has_gprs, "no registers");
    free(words);
}

static void test_arch_groups(void)
{
    const size_t size = 16 + 48 + 64 + 160 + 16 + 256 + 48 + 8 * 24 + 16 + 3 * 8 + 16;
    uint64_t *words = numbered(size);
    struct pebs_arch_record record;

    words[0] = size | PEBS_ARCH_BASIC | PEBS_ARCH_AUX | PEBS_ARCH_GPRS | PEBS_ARCH_XMM |
               PEBS_ARCH_LBRS(1) | PEBS_ARCH_COUNTERS;
    words[(size - 56) / 8] = 0x201 | 1ull << 32;
    words[(size - 48) / 8] = 3;
    record = decode_arch(words, size);
    CHECK(record.whole && !record.padding, "whole, without padding");
    check_value("address", record.common.address, AT(0x40));
    check_value("aux", record.common.data_source, AT(0x68));
    check_value("latency", record.common.latency, AT(0x70));
    check_value("TSX", record.common.transaction, AT(0x78));
    check_value("flags", record.common.flags, AT(0x80));
    check_value("IP", record.common.ip, AT(0x88));
    check_value("RAX", record.common.gpr[GPR_RAX], AT(0x90));
    check_value("RCX", record.common.gpr[GPR_RCX], AT(0x98));
    check_value("R15", record.common.gpr[15], AT(0x108));
    check_value("XMM0", record.common.xmm[0][0], AT(0x130));
    check_value("XMM15", record.common.xmm[15][1], AT(0x228));
    check_value("LBR control", record.lbr_control, AT(0x238));
    check_value("LBR depth", record.lbr_depth, AT(0x240));
    check_value("LBR entries", record.common.lbr_count, 8);
    check_value("newest", record.common.lbr[0].from, AT(0x260));
    check_value("oldest", record.common.lbr[7].info, AT(0x318));
    check_value("PMC0", record.common.general[0], AT(0x330));
    check_value("PMC9", record.common.general[9], AT(0x338));
    check_value("fixed 0", record.common.fixed[0], AT(0x340));
    check_value("metrics", record.common.metrics, AT(0x350));
    free(words);
}

/* A fragment with a size alone, one that goes on, and its rest. */
static void test_arch_fragments(void)
{
    uint64_t *words = numbered(16 + 64 + 176);
    struct pebs_arch_record record;

    words[0] = 16;
    words[2] = PEBS_ARCH_BASIC | 1u << 31 | 64;
    words[10] = PEBS_ARCH_GPRS | 176;
    record = decode_arch(words, 16 + 64 + 176);
    CHECK(record.whole, "whole");
    check_value("fragments", record.fragments, 3);
    check_value("IP of the event", record.common.eventing_ip, AT(0x20));
    check_value("flags", record.common.flags, AT(0x60));
    CHECK(!pebs_arch_format_decode(words, 16 + 64, DEPTH, &record), "its rest is missing");
    CHECK(!pebs_arch_format_decode(words, 16, DEPTH, &record), "a size alone is no record");
    free(words);
}

static void test_arch_bad(void)
{
    uint64_t *words = numbered(80);
    struct pebs_arch_record record;

    words[0] = PEBS_ARCH_BASIC;
    CHECK(!pebs_arch_format_decode(words, 80, DEPTH, &record), "size 0");
    words[0] = PEBS_ARCH_BASIC | 96;
    CHECK(!pebs_arch_format_decode(words, 80, DEPTH, &record), "longer than what there is");
    words[0] = PEBS_ARCH_BASIC | PEBS_ARCH_GPRS | 80;
    CHECK(!decode_arch(words, 80).whole, "the registers do not fit");
    words[0] = PEBS_ARCH_BASIC | 80;
    check_value("padding", decode_arch(words, 80).padding, 16);
    words[0] = PEBS_ARCH_AUX | 80;
    CHECK(!decode_arch(words, 80).whole, "no basic group");
    words[0] = PEBS_ARCH_BASIC | 1ull << 50 | 80;
    CHECK(!decode_arch(words, 80).whole, "a vector group that is not known");
    words[0] = PEBS_ARCH_BASIC | PEBS_ARCH_GENERAL | 80;
    words[8] = 0x3;
    CHECK(!decode_arch(words, 80).whole, "two values do not fit");
    free(words);
}

int main(void)
{
    test_sizes();
    test_format_0();
    test_without_registers();
    test_formats_1_and_2();
    test_format_3();
    test_adaptive_basic();
    test_adaptive_groups();
    test_groups_move_up();
    test_counters();
    test_timed();
    test_decoded_by_itself();
    test_unknown_format();
    test_arch_basic();
    test_arch_groups();
    test_arch_fragments();
    test_arch_bad();
    return check_result();
}
