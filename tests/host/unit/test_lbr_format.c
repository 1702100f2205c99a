/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does each LBR format say what its registers hold, and is each family's stack the table's? */
#include <inttypes.h>
#include "arch/trace/lbr_format.h"
#include "tests/host/unit/check.h"

#define KERNEL 0xffffffff81234567ull
#define USER   0x00007f1234567890ull
#define BIT(n) (1ull << (n))

static void check_value(const char *what, uint64_t got, uint64_t expected)
{
    CHECK(got == expected, "%s: expected %#" PRIx64 ", got %#" PRIx64, what, expected, got);
}

static struct lbr_entry decode(enum lbr_format format, uint64_t from, uint64_t to, uint64_t info)
{
    const struct lbr_raw raw = {.from = from, .to = to, .info = info};

    return lbr_decode(format, &raw);
}

static void test_plain_formats(void)
{
    const enum lbr_format plain[] = {LBR_FORMAT_32, LBR_FORMAT_LINEAR, LBR_FORMAT_EIP};

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        struct lbr_entry entry = decode(plain[i], KERNEL, USER, ~0ull);

        check_value("FROM", entry.from, KERNEL);
        check_value("TO", entry.to, USER);
        CHECK(!entry.has_misprediction && !entry.has_tsx && !entry.has_cycles, "format %d",
              (int)plain[i]);
        CHECK(!entry.mispredicted && entry.cycles == 0, "format %d", (int)plain[i]);
        CHECK(entry.upper_half_absent == (plain[i] == LBR_FORMAT_32), "format %d", (int)plain[i]);
    }
}

static void test_plain_address_is_not_mended(void)
{
    check_value("a TO with bit 63 lost", decode(LBR_FORMAT_EIP, 0, KERNEL & ~BIT(63), 0).to,
                KERNEL & ~BIT(63));
    check_value("a FROM with bit 63 lost",
                decode(LBR_FORMAT_EIP_INFO, KERNEL & ~BIT(63), 0, 0).from, KERNEL & ~BIT(63));
}

/* The bits below the flags are part of the address. */
static void test_bits_below_the_flags_are_not_mended(void)
{
    check_value("format 3, bit 62 lost", decode(LBR_FORMAT_EIP_FLAGS, KERNEL & ~BIT(62), 0, 0).from,
                KERNEL & ~BIT(62));
    check_value("format 4, bit 60 lost",
                decode(LBR_FORMAT_EIP_FLAGS_TSX, KERNEL & ~BIT(60), 0, 0).from, KERNEL & ~BIT(60));
    check_value("format 6, bit 48 too many",
                decode(LBR_FORMAT_LINEAR_CYCLES, USER | BIT(48), 0, 0).from, USER | BIT(48));
}

static void test_flags_in_from(void)
{
    struct lbr_entry entry = decode(LBR_FORMAT_EIP_FLAGS, USER | BIT(63), KERNEL, 0);

    check_value("FROM", entry.from, USER);
    check_value("TO", entry.to, KERNEL);
    CHECK(entry.has_misprediction && entry.mispredicted, "FROM[63] set");
    CHECK(!entry.has_tsx && !entry.has_cycles, "format 3 has neither");
    entry = decode(LBR_FORMAT_EIP_FLAGS, KERNEL & ~BIT(63), USER, 0);
    check_value("FROM", entry.from, KERNEL);
    CHECK(!entry.mispredicted, "FROM[63] clear");
}

/* The bit is a flag if it is no copy of bit 47; the other upper bits belong to the address in any
 * case. */
static void test_flag_that_is_open(void)
{
    struct lbr_entry entry = lbr_decode_open_flag(&(struct lbr_raw){USER | BIT(63), KERNEL, 0});

    check_value("FROM", entry.from, USER);
    check_value("TO", entry.to, KERNEL);
    CHECK(entry.mispredicted && !entry.has_misprediction, "FROM[63] set");
    entry = lbr_decode_open_flag(&(struct lbr_raw){KERNEL & ~BIT(63), USER | BIT(63), 0});
    check_value("FROM", entry.from, KERNEL);
    check_value("TO, which has no flag", entry.to, USER | BIT(63));
    entry = lbr_decode_open_flag(&(struct lbr_raw){KERNEL, USER, 0});
    check_value("FROM", entry.from, KERNEL);
    CHECK(!entry.mispredicted, "a copy of bit 47");
    entry = lbr_decode_open_flag(&(struct lbr_raw){USER | BIT(62), KERNEL, 0});
    check_value("FROM, bit 62 too many", entry.from, USER | BIT(62));
}

static void test_transaction_bits(void)
{
    struct lbr_entry entry = decode(LBR_FORMAT_EIP_FLAGS_TSX, USER | BIT(62), KERNEL, 0);

    check_value("FROM", entry.from, USER);
    CHECK(entry.has_tsx && entry.in_transaction && !entry.transaction_abort, "FROM[62] alone");
    CHECK(!entry.mispredicted, "FROM[63] clear");
    entry = decode(LBR_FORMAT_EIP_FLAGS_TSX, (KERNEL & ~(7ull << 61)) | BIT(61), USER, 0);
    check_value("FROM", entry.from, KERNEL);
    CHECK(!entry.in_transaction && entry.transaction_abort, "FROM[61] alone");
}

static void test_info(void)
{
    struct lbr_entry entry = decode(LBR_FORMAT_EIP_INFO, USER, KERNEL, BIT(63) | BIT(61) | 0x1234);

    check_value("FROM", entry.from, USER);
    check_value("TO", entry.to, KERNEL);
    check_value("cycles", entry.cycles, 0x1234);
    CHECK(entry.has_misprediction && entry.mispredicted, "INFO[63] set");
    CHECK(entry.has_tsx && !entry.in_transaction && entry.transaction_abort, "INFO[62:61]");
    entry = decode(LBR_FORMAT_INFO_NO_TSX, USER, KERNEL, BIT(62) | 7);
    CHECK(!entry.has_tsx && !entry.in_transaction, "format 7 has no such bits");
    check_value("cycles", entry.cycles, 7);
    CHECK(!entry.mispredicted, "INFO[63] clear");
}

static void test_cycles_in_to(void)
{
    struct lbr_entry entry =
        decode(LBR_FORMAT_LINEAR_CYCLES, USER | BIT(63), (KERNEL << 16 >> 16) | 0xbeefull << 48, 0);

    check_value("FROM", entry.from, USER);
    check_value("TO", entry.to, KERNEL);
    check_value("cycles", entry.cycles, 0xbeef);
    CHECK(entry.has_cycles && entry.mispredicted, "format 6");
}

static void test_packed(void)
{
    struct lbr_entry entry = lbr_decode_packed(0xfedcba9876543210);

    check_value("FROM", entry.from, 0x76543210);
    check_value("TO", entry.to, 0xfedcba98);
    CHECK(!entry.has_misprediction && !entry.has_cycles && entry.upper_half_absent, "packed");
}

static void test_unknown_format(void)
{
    struct lbr_entry entry = decode((enum lbr_format)0x3f, KERNEL, USER, ~0ull);

    check_value("FROM", entry.from, KERNEL);
    CHECK(!entry.has_misprediction && !entry.has_cycles, "nothing but addresses");
}

static const struct lbr_stack *stack_of(uint32_t family, uint32_t model)
{
    return lbr_stack_of(
        &(struct cpu_identity){.vendor = "GenuineIntel", .family = family, .model = model});
}

static void check_stack(uint32_t family, uint32_t model, unsigned depth, uint32_t from, uint32_t to)
{
    const struct lbr_stack *stack = stack_of(family, model);

    CHECK(stack != NULL, "family %02xH model %02xH has no row", family, model);
    if (!stack)
        return;
    CHECK(stack->depth == depth && stack->from == from && stack->to == to,
          "family %02xH model %02xH: depth %u, FROM %#x, TO %#x", family, model, stack->depth,
          stack->from, stack->to);
    CHECK(stack->packed == (to == 0), "family %02xH model %02xH", family, model);
    CHECK(stack->depth <= LBR_DEPTH_MAX && (stack->depth & (stack->depth - 1)) == 0, "depth %u",
          stack->depth);
}

static void test_stacks(void)
{
    check_stack(0x06, 0x0f, 4, 0x40, 0x60);
    check_stack(0x06, 0x16, 4, 0x40, 0x60);
    check_stack(0x06, 0x17, 4, 0x40, 0x60);
    check_stack(0x06, 0x1c, 8, 0x40, 0x60);
    check_stack(0x06, 0x5d, 8, 0x40, 0x60);
    check_stack(0x06, 0x1a, 16, 0x680, 0x6c0);
    check_stack(0x06, 0x56, 16, 0x680, 0x6c0);
    check_stack(0x06, 0x5e, 32, 0x680, 0x6c0);
    check_stack(0x06, 0x6a, 32, 0x680, 0x6c0);
    check_stack(0x06, 0xa7, 32, 0x680, 0x6c0);
    check_stack(0x06, 0x66, 32, 0x680, 0x6c0);
    check_stack(0x06, 0x8a, 32, 0x680, 0x6c0);
    check_stack(0x06, 0x5f, 32, 0x680, 0x6c0);
    check_stack(0x06, 0x57, 8, 0x680, 0x6c0);
    check_stack(0x06, 0x0e, 8, 0x40, 0);
    check_stack(0x0f, 0x00, 4, 0x1db, 0);
    check_stack(0x0f, 0x03, 16, 0x680, 0x6c0);
    CHECK(stack_of(0x06, 0x00) == NULL, "model 0 of family 6");
    CHECK(stack_of(0x06, 0xff) == NULL, "a model that nobody has");
    CHECK(stack_of(0x19, 0x5e) == NULL, "another family");
    CHECK(stack_of(0x06, 0x8f) == NULL, "architectural ones are in its place");
}

static void test_stack_details(void)
{
    CHECK(!stack_of(0x06, 0x17)->has_select, "Core 2 has no MSR_LBR_SELECT");
    CHECK(stack_of(0x06, 0x1a)->has_select, "Nehalem has MSR_LBR_SELECT");
    CHECK(stack_of(0x06, 0x5e)->info == 0xdc0, "Skylake has MSR_LBR_INFO");
    CHECK(stack_of(0x06, 0x5f)->info == 0, "Goldmont has no MSR_LBR_INFO");
    CHECK(stack_of(0x06, 0x57)->misprediction, "Knights Landing has the flag all the same");
    CHECK(stack_of(0x06, 0x4d)->flag_is_open && !stack_of(0x06, 0x4d)->misprediction,
          "of Silvermont it is not known");
    CHECK(stack_of(0x0f, 0x03)->top_of_stack == 0x1da, "NetBurst");
    CHECK(stack_of(0x06, 0x5e)->top_of_stack == 0x1c9, "Skylake");
}

int main(void)
{
    test_plain_formats();
    test_plain_address_is_not_mended();
    test_bits_below_the_flags_are_not_mended();
    test_flags_in_from();
    test_flag_that_is_open();
    test_transaction_bits();
    test_info();
    test_cycles_in_to();
    test_packed();
    test_unknown_format();
    test_stacks();
    test_stack_details();
    return check_result();
}
