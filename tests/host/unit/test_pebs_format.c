/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: arch/trace/pebs_format.c */
/* Is every field of a PEBS record of each format found where it stands? */
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

static struct pebs_record decode(unsigned format, uint64_t config, bool registers)
{
    size_t size = pebs_format_size(format, config);
    uint64_t *words = numbered(size);
    struct pebs_record record;

    if (format == PEBS_FORMAT_ADAPTIVE)
        words[0] = config | (uint64_t)size << 48;
    CHECK(pebs_format_decode(format, config, registers, words, &record), "format %u", format);
    check_value("size", record.size, size);
    free(words);
    return record;
}

static void test_sizes(void)
{
    const uint64_t all = PEBS_DATA_MEMORY | PEBS_DATA_GPRS | PEBS_DATA_XMM | PEBS_DATA_LBRS |
                         PEBS_DATA_LBR_ENTRIES(32);

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
    check_value("all", pebs_format_size(4, all), PEBS_RECORD_BYTES_MAX);
    check_value("format 5", pebs_format_size(5, 0), 0);
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

static void test_unknown_format(void)
{
    struct pebs_record record;
    uint64_t word = 0;

    CHECK(!pebs_format_decode(5, 0, true, &word, &record), "format 5 is not known");
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
    test_unknown_format();
    return check_result();
}
