/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/findings.h"

#include <stdarg.h>

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define CANONICAL_BITS 47u /* of an address, those above are all the same */

static const struct {
    const char *name, *words;
    unsigned numbers;
} kinds[] = {
#define FINDING(name_, text_, words_, numbers_) {text_, words_, numbers_},
#include "kernel/report/findings.def"
#undef FINDING
};

const char *finding_name(enum finding_kind kind)
{
    return kinds[kind].name;
}

const char *finding_words(enum finding_kind kind)
{
    return kinds[kind].words;
}

/* The program of ring 3 lies in the lower half of the canonical addresses, all else in the upper
 * one (linker.ld). */
static enum finding_place place_of(uint64_t address)
{
    uint64_t high = address >> CANONICAL_BITS;

    return high == 0                              ? PLACE_OTHER_RINGS
           : high == UINT64_MAX >> CANONICAL_BITS ? PLACE_RING_0
                                                  : PLACE_NONE;
}

enum finding_place finding_place(const struct finding *finding)
{
    unsigned numbers = finding->bare ? 0 : kinds[finding->kind].numbers;

    if (numbers & (HAS_ADDRESSES | HAS_EXPECTED_PAIR))
        return place_of(finding->expected);
    return numbers & HAS_GOT_PAIR ? place_of(finding->got) : PLACE_NONE;
}

bool finding_has_values(const struct finding *finding)
{
    return !finding->bare && kinds[finding->kind].numbers & HAS_VALUES;
}

bool finding_is_of_the_test(enum finding_kind kind)
{
    return kind <= FINDING_EXCEPTION;
}

static const struct {
    const char *name, *words;
} circumstances[] = {
#define CIRCUMSTANCE(name_, text_, words_) {text_, words_},
#include "kernel/report/findings.def"
#undef CIRCUMSTANCE
};

const char *circumstance_name(unsigned number)
{
    return number < CIRCUMSTANCES ? circumstances[number].name : NULL;
}

const char *circumstance_words(unsigned number)
{
    return circumstances[number].words;
}

struct line {
    char *text;
    size_t size, used;
    bool is_brief;
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
    if (!line->is_brief && symbol_find(address, &offset) != NULL)
        append(line, " (%pS)", (void *)address);
}

/* In its brief form one that is about a transfer says which by kind and rings. */
static void append_numbers(struct line *line, const struct finding *finding, unsigned numbers)
{
    if (line->is_brief && finding->is_of_transfer)
        numbers &= ~(HAS_ADDRESSES | HAS_EXPECTED_PAIR | HAS_GOT_PAIR | HAS_PREVIOUS);
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
    if (numbers & HAS_PREVIOUS && !finding->first && !line->is_brief)
        append_address(line, "previous", finding->previous);
}

static void append_circumstances(struct line *line, unsigned under)
{
    const char *between = " under=";

    for (unsigned i = 0; i < CIRCUMSTANCES; i++) {
        if (!(under >> i & 1))
            continue;
        append(line, "%s%s", between, circumstances[i].name);
        between = ",";
    }
}

static char *format(struct line line, const struct finding *finding)
{
    append(&line, "%s", finding_name(finding->kind));
    if (!finding->bare)
        append_numbers(&line, finding, kinds[finding->kind].numbers);
    append_circumstances(&line, finding->under);
    if (finding->is_of_transfer)
        append(&line, " rings=%u>%u", finding->from_ring, finding->to_ring);
    if (finding->where != NULL)
        append(&line, " where=\"%s\"", finding->where);
    return line.text;
}

char *finding_format(const struct finding *finding, char *text, size_t size)
{
    return format((struct line){.text = text, .size = size}, finding);
}

char *finding_format_brief(const struct finding *finding, char *text, size_t size)
{
    return format((struct line){.text = text, .size = size, .is_brief = true}, finding);
}

void claim_set_add(struct claim_set *set, const char *id)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->ids[i], id) == 0)
            return;
    }
    if (set->count < CLAIM_SET_COUNT)
        set->ids[set->count++] = id;
}

void claim_set_add_all(struct claim_set *set, const char *const *ids)
{
    for (; *ids != NULL; ids++)
        claim_set_add(set, *ids);
}

char *claim_set_format(const struct claim_set *set, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < set->count && used < size; i++)
        used += (size_t)format_string(text + used, size - used, " %s", set->ids[i]);
    return text;
}

size_t claim_family_length(const char *id)
{
    size_t length = strlen(id);

    while (length > 0 && id[length - 1] >= '0' && id[length - 1] <= '9')
        length--;
    return length;
}
