/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does MSR_LBR_SELECT keep its bits, and can the stack's registers be written (which the manual
 * leaves open, F8.4)? What the bits suppress: lbr_filters.c. And are the registers that another
 * family has refused cleanly?
 */
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/lib/printf.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/compare_lbr.h"
#include "tests/spec/observe.h"

#define BITS     9u
#define ALL_BITS ((1ull << BITS) - 1)

TEST(lbr, select_keeps_what_was_written, CLAIMS("LBR-1", "ALBR-3"), NEEDS(LBR_SELECT))
{
    for (unsigned i = 0; i < BITS; i++) {
        struct exception exception = lbr_select(1ull << i);

        EXPECT(t, MSR_REFUSES, !exception_happened(exception),
               "%s on writing MSR_LBR_SELECT bit %u", exception_name(exception), i);
        EXPECT_EQUAL(t, MSR_VALUE, "MSR_LBR_SELECT", lbr_selected(), 1ull << i);
    }
    lbr_select(0);
}

/* Bits 63:10 must be 0 on every model, bit 9 on those without call-stack mode (F8.20). */
static uint64_t reserved_in_select(void)
{
    return ~0ull << 10 | (lbr_stack()->no_call_stack ? LBR_SELECT_EN_CALLSTACK : 0);
}

TEST(lbr, select_keeps_no_reserved_bit, CLAIMS("LBR-1"), NEEDS(LBR_LEGACY, LBR_SELECT))
{
    static struct reserved_bits seen;
    const struct reserved_register select = {"MSR_LBR_SELECT", MSR_LBR_SELECT, reserved_in_select(),
                                             ALL_BITS};

    reserved_bits_check(t, &seen, &select);
    reserved_bits_observe(t, &seen, "MSR_LBR_SELECT");
    lbr_select(0);
}

static bool select_is_quiet(char *why, size_t size)
{
    if (lbr_selected() == 0)
        return true;
    format_string(why, size, "MSR_LBR_SELECT = %#llx", (unsigned long long)lbr_selected());
    return false;
}

static void stop_selecting(void)
{
    lbr_select(0);
}

QUIET_CHECK(lbr_select, select_is_quiet, stop_selecting);

#define LAST_ADDRESS_BIT 46u /* below the sign of a canonical address of 48 bits */

/* A different address in each register, from both halves of the address space. */
static struct lbr_raw pattern(unsigned number)
{
    return (struct lbr_raw){
        .from = 0xffffffff81000000 + 0x1110 * number,
        .to = 0x00007f5500000000 + 0x22220 * number,
        .info = 7 * number + 1,
    };
}

/* How many of the registers of an entry refuse their value. */
static unsigned write_pattern(unsigned number, unsigned *written)
{
    const struct lbr_raw raw = pattern(number);
    const struct {
        uint32_t first; /* register of entry 0; 0: none */
        uint64_t value;
    } registers[] = {
        {lbr_stack()->from, raw.from}, {lbr_stack()->to, raw.to}, {lbr_info_register(), raw.info}};
    unsigned refused = 0;

    for (size_t i = 0; i < COUNT_OF(registers); i++)
        if (registers[i].first) {
            refused +=
                exception_happened(wrmsr_safe(registers[i].first + number, registers[i].value));
            (*written)++;
        }
    return refused;
}

/* All of the registers can be written, or none. */
static bool write_patterns(struct test_context *t)
{
    unsigned refused = 0, written = 0;

    for (unsigned i = 0; i < lbr_depth(); i++)
        refused += write_pattern(i, &written);
    EXPECT(t, MSR_REFUSES, refused == 0 || refused == written,
           "%u of the %u registers of the stack refuse what is written to them, the others do not",
           refused, written);
    if (refused)
        choice_learn(t, CHOICE_LBR_WRITABLE, VALUE_FAULT);
    return !refused;
}

static unsigned count_kept(const struct lbr_snapshot *snapshot)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < lbr_depth(); i++) {
        struct lbr_raw raw = pattern(i);

        kept += snapshot->raw[i].from == raw.from &&
                (!lbr_stack()->to || snapshot->raw[i].to == raw.to) &&
                (!lbr_info_register() || snapshot->raw[i].info == raw.info);
    }
    return kept;
}

/* An address with one bit set, and its negative, in each direction. */
static void check_address_kept(struct test_context *t, uint64_t address)
{
    static struct lbr_snapshot snapshot;
    const struct lbr_raw raw = {.from = address, .to = address};
    struct lbr_entry got;

    lbr_write_entry(0, &raw);
    lbr_capture(&snapshot);
    got = lbr_decode_here(&snapshot.raw[0]);
    EXPECT_EQUAL(t, MSR_VALUE, "FROM as read back", got.from, address);
    EXPECT_EQUAL(t, MSR_VALUE, "TO as read back", got.to, address);
}

static void check_each_address_bit(struct test_context *t)
{
    for (unsigned bit = 0; bit <= LAST_ADDRESS_BIT && !test_has_failed(t); bit++) {
        check_address_kept(t, 1ull << bit);
        check_address_kept(t, -(1ull << bit));
    }
}

/* F8.5: implied by an erratum, so open. */
static void observe_non_canonical(struct test_context *t)
{
    const struct lbr_raw raw = {.from = 0, .to = 0x0000800000000000};

    choice_learn(t, CHOICE_LBR_NON_CANONICAL,
                 exception_happened(lbr_write_entry(0, &raw)) ? VALUE_FAULT : VALUE_IGNORED);
}

/* Open whether; but not that some of the registers keep what was written and others do not. */
TEST(lbr, registers_read_back_as_written, CLAIMS("LBR-1"), NEEDS(LBR))
{
    struct lbr_snapshot snapshot;
    unsigned kept;

    if (!write_patterns(t))
        return;
    lbr_capture(&snapshot);
    kept = count_kept(&snapshot);
    EXPECT(t, MSR_VALUE, kept == 0 || kept == lbr_depth(),
           "%u of %zu entries keep what was written", kept, lbr_depth());
    choice_learn(t, CHOICE_LBR_WRITABLE, kept ? VALUE_STICKS : VALUE_IGNORED);
    observe_non_canonical(t);
    if (kept && lbr_stack()->to && lbr_format() != LBR_FORMAT_32)
        check_each_address_bit(t);
    lbr_clear();
}

/* All entries of a stack at once, as a change of context puts them back. */
static void check_written_back(struct test_context *t, const struct lbr_snapshot *held)
{
    static struct lbr_snapshot found;

    lbr_clear();
    for (unsigned i = 0; i < lbr_depth(); i++)
        EXPECT(t, MSR_REFUSES, !exception_happened(lbr_write_entry(i, &held->raw[i])),
               "entry %u refuses the registers that it held: %#lx, %#lx, %#lx", i,
               held->raw[i].from, held->raw[i].to, held->raw[i].info);
    lbr_capture(&found);
    for (unsigned i = 0; i < lbr_depth() && !test_has_failed(t); i++)
        EXPECT(t, MSR_VALUE, lbr_raw_equal(&found.raw[i], &held->raw[i]),
               "entry %u as written back: %#lx, %#lx, %#lx, not %#lx, %#lx, %#lx", i,
               found.raw[i].from, found.raw[i].to, found.raw[i].info, held->raw[i].from,
               held->raw[i].to, held->raw[i].info);
}

/* The misprediction flag of every second one is set; what such processors have recorded in the
 * flags of transactions they may refuse (F8.13), none is set of an address in the lower half. */
static void set_flags(struct lbr_snapshot *held)
{
    for (unsigned i = 0; i < lbr_depth(); i++) {
        uint64_t address = held->raw[i].from & ((2ull << LAST_ADDRESS_BIT) - 1);

        held->raw[i].from = address | (uint64_t)(i % 2) << 63;
    }
}

/* If it is open whether FROM has a flag: the write may refuse it, because no address has that
 * bit. */
static bool has_flag_in_doubt(const struct lbr_snapshot *held)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t count = lbr_entries_of(held, entries);

    for (size_t i = 0; lbr_flag_is_open() && i < count; i++)
        if (entries[i].mispredicted)
            return true;
    return false;
}

/*
 * What recording has left there the registers take, where they can be written, flags and cycles
 * included (F8.5). Where the flags of transactions are in FROM and there are no transactions, the
 * flag of mispredictions is nevertheless none of the address (F8.12).
 */
TEST(lbr, takes_back_what_it_held, CLAIMS("LBR-1"), NEEDS(LBR))
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};
    static struct lbr_snapshot held;
    struct observation seen;

    if (lbr_stack()->misprediction) {
        test_skip(t, "LBR format %d, but FROM has a flag, which that does not say", lbr_format());
        return;
    }
    if (!observe(t, program_of_length(2 * lbr_depth()), &run, &seen))
        return;
    held = seen.lbr.after;
    if (has_flag_in_doubt(&held)) {
        test_skip(t, "LBR format %d, but FROM seems to have a flag", lbr_format());
        return;
    }
    if (lbr_format() == LBR_FORMAT_EIP_FLAGS_TSX && !feature_present(FEATURE_RTM))
        set_flags(&held);
    if (exception_happened(lbr_write_entry(0, &(struct lbr_raw){0})) || !lbr_clear()) {
        test_skip(t, "the registers of the stack cannot be written (F8.4)");
        return;
    }
    check_written_back(t, &held);
    lbr_clear();
}

/* --- registers that another family has --- */

/* LBR stacks lie at several numbers (F8.1), and some registers came late (F3.71, F8.14). What such
 * a number answers here is not claimed; that asking for it does no harm is. Other processors have
 * given the numbers below 100H other meanings: these are read alone. */
static const struct row {
    uint32_t first, count;
    bool write;
} rows[] = {
    {LBR_STACK_LOW_FROM, 8, false},       {LBR_STACK_LOW_TO, 8, false},
    {LBR_STACK_HIGH_FROM, 32, true},      {LBR_STACK_HIGH_TO, 32, true},
    {LBR_STACK_INFO, 32, true},           {MSR_OFFCORE_RSP_0, 2, false},
    {MSR_PEBS_LD_LAT_THRESHOLD, 2, true},
};

static void expect_clean(struct test_context *t, const char *access, uint32_t number,
                         struct exception exception)
{
    EXPECT(t, MSR_REFUSES,
           !exception_happened(exception) ||
               (exception.vector == VECTOR_GP && exception.error_code == 0),
           "%s of %#x: %s with error code %#x", access, number, exception_name(exception),
           exception.error_code);
}

/* Written where it refuses to be read alone: so it is not there. */
static void ask_for(struct test_context *t, uint32_t number, bool write)
{
    uint64_t value;
    struct exception refused = rdmsr_safe(number, &value);

    expect_clean(t, "RDMSR", number, refused);
    if (write && exception_happened(refused))
        expect_clean(t, "WRMSR", number, wrmsr_safe(number, 0));
}

TEST(lbr, registers_of_other_families_are_refused_cleanly, CLAIMS("LBR-1"), NEEDS(LBR))
{
    uint64_t debugctl = debugctl_read();

    for (const struct row *row = rows; row < rows + COUNT_OF(rows); row++)
        for (uint32_t i = 0; i < row->count; i++)
            ask_for(t, row->first + i, row->write);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL behind all that", debugctl_read(), debugctl);
}
