/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr.h"

#include "arch/cpu/features.h"
#include "arch/cpu/msr.h"
#include "arch/cpu/percpu.h"
#include "arch/trace/features.h"

_Static_assert(sizeof(struct lbr_raw) == 24, "layout that lbr_capture.S writes");

static const struct exception none = {.vector = EXCEPTION_NO_VECTOR};

/* Looked up once: the search is full of branches, and this is called while LBR records. */
const struct lbr_stack *lbr_stack(void)
{
    static const struct lbr_stack *known[PROCESSORS_MAX];
    const struct lbr_stack **own = &known[features_slot()];

    if (!*own && feature_present(FEATURE_LBR))
        *own = lbr_stack_of(cpu_features()->identity.family, cpu_features()->identity.model);
    return *own;
}

size_t lbr_depth(void)
{
    const struct lbr_stack *stack = lbr_stack();

    return stack ? stack->depth : 0;
}

enum lbr_format lbr_format(void)
{
    enum lbr_format format = trace_features()->perf_capabilities & PERF_CAPABILITIES_LBR_FORMAT;
    const struct lbr_stack *stack = lbr_stack();

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
    bool used = format == LBR_FORMAT_EIP_INFO || format == LBR_FORMAT_INFO_NO_TSX;
    const struct lbr_stack *stack = lbr_stack();

    return used && stack ? stack->info : 0;
}

bool lbr_flag_is_open(void)
{
    const struct lbr_stack *stack = lbr_stack();

    return stack && stack->flag_is_open && lbr_format() == LBR_FORMAT_LINEAR;
}

struct lbr_entry lbr_decode_here(const struct lbr_raw *raw)
{
    return lbr_flag_is_open() ? lbr_decode_open_flag(raw) : lbr_decode(lbr_format(), raw);
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
                              lbr_info_register(), stack->depth, stack->top_of_stack);
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

size_t lbr_entries_of(const struct lbr_snapshot *snapshot, struct lbr_entry *entries)
{
    const struct lbr_stack *stack = lbr_stack();

    for (size_t age = 0; stack && age < stack->depth; age++)
        entries[age] =
            decode(stack, &snapshot->raw[(snapshot->top_of_stack - age) & (stack->depth - 1u)]);
    return stack ? stack->depth : 0;
}

size_t lbr_read(struct lbr_entry *entries)
{
    struct lbr_snapshot snapshot;

    lbr_capture(&snapshot);
    return lbr_entries_of(&snapshot, entries);
}

static bool is_zero(uint32_t number)
{
    uint64_t value = 1;

    rdmsr_safe(number, &value);
    return value == 0;
}

static bool zero(uint32_t number)
{
    if (!is_zero(number))
        wrmsr_safe(number, 0);
    return is_zero(number);
}

bool lbr_clear(void)
{
    const struct lbr_stack *stack = lbr_stack();
    bool cleared = true;

    if (!stack)
        return false;
    for (unsigned i = 0; i < stack->depth; i++) {
        cleared &= zero(stack->from + i);
        if (stack->to)
            cleared &= zero(stack->to + i);
        if (lbr_info_register())
            cleared &= zero(lbr_info_register() + i);
    }
    return zero(stack->top_of_stack) && cleared;
}

struct exception lbr_write_entry(unsigned number, const struct lbr_raw *raw)
{
    const struct lbr_stack *stack = lbr_stack();
    struct exception exception = none;

    if (!stack || number >= stack->depth)
        return none;
    exception = wrmsr_safe(stack->from + number, raw->from);
    if (!exception_happened(exception) && stack->to)
        exception = wrmsr_safe(stack->to + number, raw->to);
    if (!exception_happened(exception) && lbr_info_register())
        exception = wrmsr_safe(lbr_info_register() + number, raw->info);
    return exception;
}

struct exception lbr_select(uint64_t mask)
{
    return feature_present(FEATURE_LBR_SELECT) ? wrmsr_safe(MSR_LBR_SELECT, mask) : none;
}

uint64_t lbr_selected(void)
{
    uint64_t mask = 0;

    if (feature_present(FEATURE_LBR_SELECT))
        rdmsr_safe(MSR_LBR_SELECT, &mask);
    return mask;
}
