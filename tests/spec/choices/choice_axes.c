/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/choice_axes.h"

#include "arch/trace/debugctl.h"
#include "arch/lib/printf.h"

static const char *const off_bits[] = {"neither", "off-os", "off-usr"};
static const char *const select_bits[] = {
    "cpl-eq-0", "cpl-neq-0",    "jcc",          "near-rel-call", "near-ind-call",
    "near-ret", "near-ind-jmp", "near-rel-jmp", "far-branch",
};
static const char *const counters[] = {"general", "fixed"};
static const char *const periods[] = {"short", "long-then-short", "short-then-long", "long"};
static const char *const freezes[] = {"lbr", "counters"};
static const char *const storing[] = {"tr", "tr-bts"};

unsigned choice_axis_points(enum choice_axis axis)
{
    static const unsigned points[] = {
#define AXIS(id, points) [AXIS_##id] = AXIS_##id##_POINTS,
        CHOICE_AXES(AXIS)
#undef AXIS
    };

    return points[axis];
}

/* Names that other parts have for people: "far RET", "BTS_OFF_OS". */
static char *as_word(char *text)
{
    for (char *at = text; *at; at++) {
        if (*at >= 'A' && *at <= 'Z')
            *at += 'a' - 'A';
        else if (*at == ' ' || *at == '_')
            *at = '-';
    }
    return text;
}

char *choice_axis_name(enum choice_axis axis, unsigned point, char *text, size_t size)
{
    const char *name = "";
    char bits[64];

    switch (axis) {
    case AXIS_KIND:
        name = transfer_kind_name(point);
        break;
    case AXIS_OFF_BIT:
        name = off_bits[point];
        break;
    case AXIS_SELECT_BIT:
        name = select_bits[point];
        break;
    case AXIS_DEBUGCTL_BIT:
        name = debugctl_format(1ull << point, bits, sizeof bits);
        break;
    case AXIS_STORING:
        name = storing[point];
        break;
    case AXIS_FREEZE:
        name = freezes[point];
        break;
    case AXIS_FIXED:
        name = counters[point];
        break;
    case AXIS_PERIODS:
        name = periods[point];
        break;
    case AXIS_GENERAL:
        format_string(text, size, "pmc%u", point);
        return text;
    case AXIS_COUNTER:
        format_string(text, size, "%s%u", point < CHOICE_FIXED_0 ? "pmc" : "fixed",
                      point % CHOICE_FIXED_0);
        return text;
    case AXIS_RING:
        format_string(text, size, "ring-%u", point);
        return text;
    case AXIS_EVENT:
        name = pmu_event_name(point);
        break;
    case AXIS_ONE:
    case CHOICE_AXIS_COUNT:
        break;
    }
    format_string(text, size, "%s", name);
    return as_word(text);
}
