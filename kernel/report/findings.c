/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/findings.h"

#include <stdarg.h>

#include "arch/lib/printf.h"
#include "arch/lib/symbols.h"

static const struct {
    const char *name;
    unsigned numbers;
} kinds[] = {
#define FINDING(name_, text_, numbers_) {text_, numbers_},
#include "kernel/report/findings.def"
#undef FINDING
};

const char *finding_name(enum finding_kind kind)
{
    return kinds[kind].name;
}

bool finding_is_of_the_test(enum finding_kind kind)
{
    return kind <= FINDING_EXCEPTION;
}

static const char *const circumstances[] = {
#define CIRCUMSTANCE(name_, text_) text_,
#include "kernel/report/findings.def"
#undef CIRCUMSTANCE
};

struct line {
    char *text;
    size_t size, used;
};

static void append(struct line *line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (line->used < line->size)
        line->used += (size_t)format_string_v(line->text + line->used, line->size - line->used,
                                              format, arguments);
    va_end(arguments);
}

/* The symbol in brackets, where there is one; without any the number says all. */
static void append_address(struct line *line, const char *name, uint64_t address)
{
    uint64_t offset;

    append(line, " %s=0x%lx", name, address);
    if (symbol_find(address, &offset) != NULL)
        append(line, " (%pS)", (void *)address);
}

static void append_numbers(struct line *line, const struct finding *finding, unsigned numbers)
{
    if (numbers & HAS_SLOT)
        append(line, " slot=%lu", finding->slot);
    if (numbers & HAS_VALUES)
        append(line, " expected=0x%lx got=0x%lx", finding->expected, finding->got);
    if (numbers & (HAS_ADDRESSES | HAS_EXPECTED_PAIR))
        append_address(line, "expected", finding->expected);
    if (numbers & HAS_EXPECTED_PAIR)
        append_address(line, "expected_to", finding->expected_to);
    if (numbers & (HAS_ADDRESSES | HAS_GOT_PAIR))
        append_address(line, "got", finding->got);
    if (numbers & HAS_GOT_PAIR)
        append_address(line, "got_to", finding->got_to);
    if (numbers & HAS_PREVIOUS && !finding->first)
        append_address(line, "previous", finding->previous);
}

static void append_circumstances(struct line *line, unsigned under)
{
    const char *between = " under=";

    for (unsigned i = 0; i < CIRCUMSTANCES; i++) {
        if (!(under >> i & 1))
            continue;
        append(line, "%s%s", between, circumstances[i]);
        between = ",";
    }
}

char *finding_format(const struct finding *finding, char *text, size_t size)
{
    struct line line = {.text = text, .size = size};

    append(&line, "%s", finding_name(finding->kind));
    if (!finding->bare)
        append_numbers(&line, finding, kinds[finding->kind].numbers);
    append_circumstances(&line, finding->under);
    if (finding->where != NULL)
        append(&line, " where=\"%s\"", finding->where);
    return text;
}
