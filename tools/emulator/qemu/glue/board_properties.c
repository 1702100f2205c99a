// SPDX-License-Identifier: GPL-2.0-or-later
/* The x-ds-... properties of a board: as each is set for one processor, so it is for all by -cpu.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "state.h"

typedef struct BoardProperty {
    const char *name;
    const char *help;
    size_t offset; /* of a uint32_t in struct board; of a bool where there is no maximum */
    uint32_t maximum;
} BoardProperty;

#define NUMBER "(0x[0-9a-f]{1,8}|0|[1-9][0-9]{0,8})"
#define TICKS  "(0x[0-9a-f]{1,16}|0|[1-9][0-9]{0,18})"

#define AT(name) offsetof(struct board, name)

static const BoardProperty properties[] = {
    {"x-ds-smi-rate", "SMIs a second at random, to every processor; what counts is the first's",
     AT(smi_rate), 1000},
    {"x-ds-smi-length", "microseconds that an SMI takes beside what its handler runs",
     AT(smi_length), 10000},
    {"x-ds-smi-waits",
     "milliseconds that an SMI's handler waits where a processor is in INIT and cannot come",
     AT(smi_waits), 2000},
    {"x-ds-smi-alone", "the SMIs are this processor's own, and no other gets them", AT(smi_alone),
     0},
    {"x-ds-x2apic-locked", "firmware leaves x2APIC mode on, and it cannot be left",
     AT(x2apic_locked), 0},
    {"x-ds-thermal-smi",
     "firmware has the thermal interrupt, by SMI: who takes the first processor's sticks in SMM",
     AT(thermal_smi), 0},
    {"x-ds-transition-rate", "changes of the clock a second at random, while EIST and turbo are on",
     AT(transition_rate), 10000},
};

static void *field(Object *object, const BoardProperty *property)
{
    return (char *)&X86_CPU(object)->debug_store->board + property->offset;
}

static void get_number(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    visit_type_uint32(visitor, name, field(object, opaque), errp);
}

static void set_number(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    const BoardProperty *property = opaque;
    uint32_t value;

    if (!visit_type_uint32(visitor, name, &value, errp)) {
        return;
    }
    if (value > property->maximum) {
        error_setg(errp, "%s is at most %" PRIu32, name, property->maximum);
        return;
    }
    X86_CPU(object)->debug_store->configured = true;
    *(uint32_t *)field(object, property) = value;
}

static void get_switch(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    visit_type_bool(visitor, name, field(object, opaque), errp);
}

static void set_switch(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    X86_CPU(object)->debug_store->configured = true;
    visit_type_bool(visitor, name, field(object, opaque), errp);
}

/* Numbers with '+' between them; what calls it has seen that the text is right. */
bool board_is_listed(const char *text, uint32_t number)
{
    const char *next = text;

    while (next && *next) {
        if (strtoul(next, (char **)&next, 0) == number) {
            return true;
        }
        next += *next == '+';
    }
    return false;
}

uint64_t board_listed_value(const char *text, uint32_t number)
{
    const char *next = text;

    while (next && *next) {
        bool found = strtoul(next, (char **)&next, 0) == number;
        uint64_t value = strtoull(next + 1, (char **)&next, 0);

        if (found) {
            return value;
        }
        next += *next == '+';
    }
    return 0;
}

static char *get_deaf(Object *object, Error **errp)
{
    return g_strdup(X86_CPU(object)->debug_store->board.deaf_ids ?: "");
}

static void set_deaf(Object *object, const char *text, Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;

    if (!g_regex_match_simple("^" NUMBER "(\\+" NUMBER ")*$", text, 0, 0)) {
        error_setg(errp, "x-ds-deaf=%s: wants APIC ids with '+' between them", text);
        return;
    }
    g_free(store->board.deaf_ids);
    store->board.deaf_ids = g_strdup(text);
    store->configured = true;
}

static void set_tsc_ahead(Object *object, const char *text, Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;

    if (!g_regex_match_simple("^" NUMBER ":" TICKS "(\\+" NUMBER ":" TICKS ")*$", text, 0, 0)) {
        error_setg(errp, "x-ds-tsc-ahead=%s: wants ID:TICKS with '+' between them", text);
        return;
    }
    g_free(store->board.tscs_ahead);
    store->board.tscs_ahead = g_strdup(text);
    store->configured = true;
}

static void set_stray(Object *object, const char *text, Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;

    if (!board_parse_strays(&store->board, text)) {
        error_setg(
            errp,
            "x-ds-stray=%s: wants WHAT:RATE with '+' between them, at most %u; WHAT is a vector from 16 "
            "to 255, nmi or pic, RATE a number a second, at most 100000",
            text, BOARD_STRAYS);
        return;
    }
    store->configured = true;
}

static void add(Object *object, const BoardProperty *property)
{
    if (property->maximum) {
        object_property_add(object, property->name, "uint32", get_number, set_number, NULL,
                            (void *)property);
    } else {
        object_property_add(object, property->name, "bool", get_switch, set_switch, NULL,
                            (void *)property);
    }
    object_property_set_description(object, property->name, property->help);
}

void debug_store_add_board_properties(X86CPU *cpu)
{
    for (size_t i = 0; i < ARRAY_SIZE(properties); i++) {
        add(OBJECT(cpu), &properties[i]);
    }
    object_property_add_str(OBJECT(cpu), "x-ds-stray", NULL, set_stray);
    object_property_set_description(OBJECT(cpu), "x-ds-stray",
                                    "interrupts that nobody has asked for: 0x51:100+nmi:5+pic:20");
    object_property_add_str(OBJECT(cpu), "x-ds-deaf", get_deaf, set_deaf);
    object_property_set_description(OBJECT(cpu), "x-ds-deaf",
                                    "APIC ids of processors that do not hear INIT: 2+5");
    object_property_add_str(OBJECT(cpu), "x-ds-tsc-ahead", NULL, set_tsc_ahead);
    object_property_set_description(
        OBJECT(cpu), "x-ds-tsc-ahead",
        "TSCs that are ahead of the others, by APIC id: 1:0x1000000000");
}
