/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/trace_state.h"

_Static_assert(sizeof(struct lbr_raw) == 24, "layout that lbr_registers.S writes");

static const struct exception none = {.vector = EXCEPTION_NO_VECTOR};

/* Looked up once: the search is full of branches, and this is called while LBR records. */
const struct lbr_stack *lbr_stack(void)
{
    static const struct lbr_stack *known[PROCESSORS_MAX];
    const struct lbr_stack **own = &known[features_slot()];

    if (!*own && feature_present(FEATURE_ARCH_LBR))
        *own = lbr_arch_stack();
    else if (!*own && feature_present(FEATURE_LBR))
        *own = lbr_stack_of(&cpu_features()->identity);
    return *own;
}

size_t lbr_depth(void)
{
    const struct lbr_stack *stack = lbr_stack();

    if (stack && stack->architectural)
        return lbr_arch_depth();
    return stack ? stack->depth : 0;
}

enum lbr_format lbr_format(void)
{
    enum lbr_format format = trace_features()->perf_capabilities & PERF_CAPABILITIES_LBR_FORMAT;
    const struct lbr_stack *stack = lbr_stack();

    if (stack && stack->architectural)
        return LBR_FORMAT_ARCHITECTURAL;
    if (!feature_present(FEATURE_PDCM))
        return LBR_FORMAT_32;
    if (format == LBR_FORMAT_LINEAR && stack && stack->misprediction)
        return LBR_FORMAT_EIP_FLAGS;
    return format;
}

/* MSR_LBR_INFO goes with the formats that use it. */
uint32_t lbr_info_register(void)
{
    enum lbr_format format = lbr_format();
    bool used = format == LBR_FORMAT_EIP_INFO || format == LBR_FORMAT_INFO_NO_TSX ||
                format == LBR_FORMAT_ARCHITECTURAL;
    const struct lbr_stack *stack = lbr_stack();

    return used && stack ? stack->info : 0;
}

bool lbr_flag_is_open(void)
{
    const struct lbr_stack *stack = lbr_stack();

    return stack && stack->flag_is_open && lbr_format() == LBR_FORMAT_LINEAR;
}

/* Of what INFO may say this leaf enumerates some (F20.3). */
static struct lbr_entry decode_architectural(const struct lbr_raw *raw)
{
    struct lbr_entry entry = lbr_decode(LBR_FORMAT_ARCHITECTURAL, raw);

    entry.has_misprediction = lbr_arch()->has_misprediction;
    entry.has_cycles &= lbr_arch()->has_cycles;
    entry.has_type = lbr_arch()->has_type;
    entry.has_tsx = feature_present(FEATURE_RTM);
    entry.in_transaction &= entry.has_tsx;
    entry.transaction_abort &= entry.has_tsx;
    return entry;
}

struct lbr_entry lbr_decode_here(const struct lbr_raw *raw)
{
    if (lbr_format() == LBR_FORMAT_ARCHITECTURAL)
        return decode_architectural(raw);
    return lbr_flag_is_open() ? lbr_decode_open_flag(raw) : lbr_decode(lbr_format(), raw);
}

/* What was read as the top of stack is the depth. What is undefined is nothing to compare (F20.21),
 * and entries past the depth are none. */
static void tidy(struct lbr_snapshot *snapshot)
{
    size_t depth = lbr_depth();

    snapshot->top_of_stack = 0;
    for (size_t i = 0; i < LBR_DEPTH_MAX; i++)
        if (i < depth)
            snapshot->raw[i].info &= lbr_arch_info();
        else
            snapshot->raw[i] = (struct lbr_raw){0};
}

void lbr_capture(struct lbr_snapshot *snapshot)
{
    const struct lbr_stack *stack = lbr_stack();

    if (!stack) {
        *snapshot = (struct lbr_snapshot){0};
        return;
    }
    snapshot->top_of_stack =
        lbr_capture_registers(snapshot->raw, stack->from, stack->to ? stack->to : stack->from,
                              lbr_info_register(), (uint32_t)lbr_depth(), stack->top_of_stack);
    if (stack->architectural)
        tidy(snapshot);
}

static struct lbr_entry decode(const struct lbr_stack *stack, const struct lbr_raw *raw)
{
    struct lbr_raw known = *raw;

    if (stack->packed)
        return lbr_decode_packed(raw->from);
    if (!lbr_info_register())
        known.info = 0;
    return lbr_decode_here(&known);
}

size_t lbr_slot(const struct lbr_snapshot *snapshot, size_t age)
{
    if (lbr_stack()->architectural)
        return age;
    return (snapshot->top_of_stack - age) & (lbr_stack()->depth - 1u);
}

size_t lbr_entries_of(const struct lbr_snapshot *snapshot, struct lbr_entry *entries)
{
    const struct lbr_stack *stack = lbr_stack();
    size_t depth = lbr_depth();

    for (size_t age = 0; age < depth; age++)
        entries[age] = decode(stack, &snapshot->raw[lbr_slot(snapshot, age)]);
    return depth;
}

size_t lbr_read(struct lbr_entry *entries)
{
    struct lbr_snapshot snapshot;

    lbr_capture(&snapshot);
    return lbr_entries_of(&snapshot, entries);
}

static bool has(uint32_t number, uint64_t value)
{
    uint64_t found = ~value;

    rdmsr_safe(number, &found);
    return found == value;
}

static bool set(uint32_t number, uint64_t value)
{
    if (!has(number, value))
        wrmsr_safe(number, value);
    return has(number, value);
}

static bool clear_by_depth(const struct lbr_stack *stack)
{
    bool cleared = !exception_happened(lbr_arch_set_depth(trace_state()->lbr_depth));
    unsigned depth = lbr_arch_depth();

    for (unsigned i = 0; i < depth; i++)
        cleared &= has(stack->from + i, 0) && has(stack->to + i, 0) && has(stack->info + i, 0);
    return cleared;
}

bool lbr_clear(void)
{
    const struct lbr_stack *stack = lbr_stack();
    bool cleared = true;

    if (!stack)
        return false;
    if (stack->architectural)
        return clear_by_depth(stack);
    for (unsigned i = 0; i < stack->depth; i++) {
        cleared &= set(stack->from + i, 0);
        if (stack->to)
            cleared &= set(stack->to + i, 0);
        if (lbr_info_register())
            cleared &= set(lbr_info_register() + i, 0);
    }
    /* So the first CALL of a call stack, and the RET after it, go round its end. */
    return set(stack->top_of_stack, stack->depth - 1) && cleared;
}

struct exception lbr_write_entry(unsigned number, const struct lbr_raw *raw)
{
    const struct lbr_stack *stack = lbr_stack();
    struct exception exception = none;

    if (!stack || number >= lbr_depth())
        return none;
    exception = wrmsr_safe(stack->from + number, raw->from);
    if (!exception_happened(exception) && stack->to)
        exception = wrmsr_safe(stack->to + number, raw->to);
    if (!exception_happened(exception) && lbr_info_register())
        exception = wrmsr_safe(lbr_info_register() + number, raw->info);
    return exception;
}

static struct exception select_by_control(uint64_t mask)
{
    uint64_t on = lbr_arch_read_control() & LBR_CTL_LBREN;

    trace_state()->lbr_left_out = (unsigned)mask;
    return wrmsr_safe(IA32_LBR_CTL, lbr_arch_control(on));
}

struct exception lbr_select(uint64_t mask)
{
    if (feature_present(FEATURE_ARCH_LBR))
        return select_by_control(mask);
    return feature_present(FEATURE_LBR_SELECT) ? wrmsr_safe(MSR_LBR_SELECT, mask) : none;
}

/* RESET leaves it zero, which lets nothing in, and means that nobody has selected yet (F20.13). */
static uint64_t selected_by_control(void)
{
    uint64_t control = lbr_arch_read_control();

    if (!(control & ~(uint64_t)LBR_CTL_LBREN) && !trace_state()->lbr_left_out)
        return 0;
    return lbr_leaf_left_out(lbr_arch(), control);
}

uint64_t lbr_selected(void)
{
    uint64_t mask = 0;

    if (feature_present(FEATURE_ARCH_LBR))
        return selected_by_control();

    if (feature_present(FEATURE_LBR_SELECT))
        rdmsr_safe(MSR_LBR_SELECT, &mask);
    return mask;
}

/* The registers copy entries of the stack, flags and all. */
bool ler_read(struct ler *record)
{
    const struct lbr_stack *stack = lbr_stack();
    struct lbr_raw raw = {0};
    struct lbr_entry entry;

    *record = (struct ler){0};
    if (!stack || exception_happened(rdmsr_safe(stack->ler_from, &raw.from)) ||
        exception_happened(rdmsr_safe(stack->ler_to, &raw.to)) ||
        (stack->ler_info && exception_happened(rdmsr_safe(stack->ler_info, &raw.info))))
        return false;
    entry = lbr_decode_here(&raw);
    *record = (struct ler){.from = entry.from,
                           .to = entry.to,
                           .info = stack->ler_info ? raw.info & lbr_arch_last_exception_info() : 0};
    return true;
}
