/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/choice_axes.h"

#include "arch/trace/debugctl.h"
#include "arch/lib/printf.h"

/* Of the axes whose points have their names from nowhere else. */
static const char *const names[CHOICE_AXIS_COUNT][AXIS_SELECT_BIT_POINTS] = {
    [AXIS_ONE] = {""},
    [AXIS_OFF_BIT] = {"neither", "off-os", "off-usr"},
    [AXIS_SELECT_BIT] = {"cpl-eq-0", "cpl-neq-0", "jcc", "near-rel-call", "near-ind-call",
                         "near-ret", "near-ind-jmp", "near-rel-jmp", "far-branch"},
    [AXIS_STORING] = {"tr", "tr-bts"},
    [AXIS_FREEZE] = {"lbr", "counters"},
    [AXIS_FIXED] = {"general", "fixed"},
    [AXIS_PERIODS] = {"short", "long-then-short", "short-then-long", "long"},
    [AXIS_RING] = {"ring-0", "ring-1", "ring-2", "ring-3"},
};

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
    const char *name;
    char bits[64];

    switch (axis) {
    case AXIS_KIND:
        name = transfer_kind_name(point);
        break;
    case AXIS_DEBUGCTL_BIT:
        name = debugctl_format(1ull << point, bits, sizeof bits);
        break;
    case AXIS_EVENT:
        name = pmu_event_name(point);
        break;
    case AXIS_GENERAL:
    case AXIS_COUNTER:
        format_string(text, size, "%s%u", point < CHOICE_FIXED_0 ? "pmc" : "fixed",
                      point % CHOICE_FIXED_0);
        return text;
    default:
        name = names[axis][point];
        break;
    }
    format_string(text, size, "%s", name);
    return as_word(text);
}
