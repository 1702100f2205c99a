/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console/log_form.h"

#include "arch/lib/printf.h"

#define WHY_SIZE 80u

/* Of the checksum. */
#define POLYNOMIAL 0x1021u
#define TOP_BIT    0x8000u

static const char *why_full(const struct log_line *line)
{
    if (line->has_hypervisor)
        return "there is a hypervisor";
    if (line->has_debugcon)
        return "there is a debug console";
    if (!line->is_there)
        return "no serial line";
    return line->is_measured && line->nanoseconds < LOG_SLOW_NANOSECONDS
               ? "the serial line takes no time"
               : NULL;
}

uint64_t log_line_takes(const struct log_line *line)
{
    if (!line->is_there)
        return 0;
    if (!line->is_measured)
        return line->has_hypervisor ? 0 : LOG_USUAL_NANOSECONDS;
    return line->nanoseconds < LOG_SLOW_NANOSECONDS ? 0 : line->nanoseconds;
}

static const char *why_compact(const struct log_line *line)
{
    static char text[WHY_SIZE];

    if (!line->is_measured)
        return "a serial line whose speed could not be measured";
    format_string(text, sizeof(text), "the serial line takes %lu us for a byte",
                  line->nanoseconds / 1000);
    return text;
}

enum log_form log_form_of(enum log_form asked, const struct log_line *line, const char **why)
{
    *why = "as asked for";
    if (asked != LOG_AUTO)
        return asked;
    *why = why_full(line);
    if (*why != NULL)
        return LOG_FULL;
    *why = why_compact(line);
    return LOG_COMPACT;
}

static uint16_t add_byte(uint16_t sum, uint8_t byte)
{
    sum ^= (uint16_t)(byte << 8);
    for (unsigned bit = 0; bit < 8; bit++)
        sum = (uint16_t)(sum << 1 ^ ((sum & TOP_BIT) != 0 ? POLYNOMIAL : 0));
    return sum;
}

uint16_t line_sum(uint32_t number, const char *text, size_t length)
{
    uint16_t sum = add_byte(add_byte(UINT16_MAX, (uint8_t)number), (uint8_t)(number >> 8));

    for (size_t i = 0; i < length; i++)
        sum = add_byte(sum, (uint8_t)text[i]);
    return sum;
}
