/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is every field of a record of architectural PEBS found, in whatever fragments it comes? */
#include <inttypes.h>
#include <stdlib.h>
#include "arch/trace/pebs_format.h"
#include "tests/host/unit/check.h"

#define AT(offset) (0x1000ull + (offset))
#define DEPTH      32u

/* As long as the record, so that the sanitizer sees a decoder that reads past its end. */
static uint64_t *numbered(size_t size)
{
    uint64_t *words = malloc(size);

    for (size_t i = 0; i < size / 8; i++)
        words[i] = 0x1000 + 8 * i;
    return words;
}

static void check_value(const char *what, uint64_t got, uint64_t expected)
{
    CHECK(got == expected, "%s: expected %#" PRIx64 ", got %#" PRIx64, what, expected, got);
}

static struct pebs_arch_record decode(const uint64_t *words, size_t size)
{
    struct pebs_arch_record record;

    CHECK(pebs_arch_format_decode(words, size, DEPTH, &record), "a record of %zu bytes", size);
    check_value("size", record.common.size, size);
    return record;
}

static void test_basic(void)
{
    uint64_t *words = numbered(64);
    struct pebs_arch_record record;

    words[0] = PEBS_ARCH_BASIC | 1u << 30 | 64;
    words[5] = 0x10123;
    record = decode(words, 64);
    CHECK(record.whole && record.is_64_bits && record.fragments == 1, "one whole fragment");
    check_value("IP", record.common.eventing_ip, AT(0x10));
    check_value("applicable", record.common.applicable, AT(0x18));
    check_value("TSC", record.common.tsc, AT(0x20));
    CHECK(record.has_latency, "the retire latency is valid");
    check_value("retire latency", record.common.retire_latency, 0x123);
    CHECK(!record.common.has_gprs, "no registers");
    free(words);
}

static void test_every_group(void)
{
    const size_t size = 16 + 48 + 64 + 160 + 16 + 256 + 48 + 8 * 24 + 16 + 3 * 8 + 16;
    uint64_t *words = numbered(size);
    struct pebs_arch_record record;

    words[0] = size | PEBS_ARCH_BASIC | PEBS_ARCH_AUX | PEBS_ARCH_GPRS | PEBS_ARCH_XMM |
               PEBS_ARCH_LBRS(1) | PEBS_ARCH_COUNTERS;
    words[(size - 56) / 8] = 0x201 | 1ull << 32;
    words[(size - 48) / 8] = 3;
    record = decode(words, size);
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
static void test_fragments(void)
{
    uint64_t *words = numbered(16 + 64 + 176);
    struct pebs_arch_record record;

    words[0] = 16;
    words[2] = PEBS_ARCH_BASIC | 1u << 31 | 64;
    words[10] = PEBS_ARCH_GPRS | 176;
    record = decode(words, 16 + 64 + 176);
    CHECK(record.whole, "whole");
    check_value("fragments", record.fragments, 3);
    check_value("IP of the event", record.common.eventing_ip, AT(0x20));
    check_value("flags", record.common.flags, AT(0x60));
    CHECK(!pebs_arch_format_decode(words, 16 + 64, DEPTH, &record), "its rest is missing");
    CHECK(!pebs_arch_format_decode(words, 16, DEPTH, &record), "a size alone is no record");
    free(words);
}

static void test_bad(void)
{
    uint64_t *words = numbered(80);
    struct pebs_arch_record record;

    words[0] = PEBS_ARCH_BASIC;
    CHECK(!pebs_arch_format_decode(words, 80, DEPTH, &record), "size 0");
    words[0] = PEBS_ARCH_BASIC | 96;
    CHECK(!pebs_arch_format_decode(words, 80, DEPTH, &record), "longer than what there is");
    words[0] = PEBS_ARCH_BASIC | PEBS_ARCH_GPRS | 80;
    CHECK(!decode(words, 80).whole, "the registers do not fit");
    words[0] = PEBS_ARCH_BASIC | 80;
    check_value("padding", decode(words, 80).padding, 16);
    words[0] = PEBS_ARCH_AUX | 80;
    CHECK(!decode(words, 80).whole, "no basic group");
    words[0] = PEBS_ARCH_BASIC | 1ull << 50 | 80;
    CHECK(!decode(words, 80).whole, "a vector group that is not known");
    words[0] = PEBS_ARCH_BASIC | PEBS_ARCH_GENERAL | 80;
    words[8] = 0x3;
    CHECK(!decode(words, 80).whole, "two values do not fit");
    free(words);
}

int main(void)
{
    test_basic();
    test_every_group();
    test_fragments();
    test_bad();
    return check_result();
}
