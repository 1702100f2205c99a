// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The x-ds-... properties: what the processor has where the emulator has no word for it, and every
 * variation that the model offers. x-ds-e-NAME is the field NAME of the second half of the
 * processors, where that is another: an E-core's.
 */
#include "qemu/osdep.h"
#include "hw/boards.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "state.h"

typedef struct ProfileProperty {
    const char *name;
    const char *help;
    size_t offset;
    size_t size; /* bytes; 0: a boolean */
    uint64_t maximum;
    bool second; /* of the second half */
} ProfileProperty;

/* The fields that QEMU has no property of its own for. */
#define FEATURE(...)
#define PROPERTY(name, ...)             {"x-ds-" name, __VA_ARGS__, false}, {"x-ds-e-" name, __VA_ARGS__, true},
#define SWITCH(field, name, from, help) from(name, help, offsetof(struct ds_profile, field), 0, 1)
#define NUMBER(field, type, name, max, from, help)                                                 \
    from(name, help, offsetof(struct ds_profile, field), sizeof(type), max)

static const ProfileProperty profile_properties[] = {
#include "model/profile_fields.def"
};

QEMU_BUILD_BUG_ON(ARRAY_SIZE(profile_properties) > DEBUG_STORE_PROPERTIES_MAX);

static void *field_of(struct ds_profile *profile, const ProfileProperty *property)
{
    return (char *)profile + property->offset;
}

static void *profile_field(Object *object, const ProfileProperty *property)
{
    DebugStore *store = X86_CPU(object)->debug_store;

    return field_of(property->second ? &store->second : &store->model.profile, property);
}

static void remember(Object *object, const ProfileProperty *property)
{
    DebugStore *store = X86_CPU(object)->debug_store;

    store->configured = true;
    store->set[property - profile_properties] = true;
}

/* The first half of a machine's processors, and the odd one, are P-cores. */
static bool is_in_second_half(const DebugStore *store)
{
    return CPU(store->cpu)->cpu_index >= ((int)current_machine->smp.cpus + 1) / 2;
}

void debug_store_choose_core(DebugStore *store)
{
    for (size_t i = 0; is_in_second_half(store) && i < ARRAY_SIZE(profile_properties); i++) {
        const ProfileProperty *property = &profile_properties[i];

        if (property->second && store->set[i]) {
            memcpy(field_of(&store->model.profile, property), field_of(&store->second, property),
                   property->size ? property->size : sizeof(bool));
        }
    }
}

/* The fault may be one processor's alone. */
const char *debug_store_choose_fault(DebugStore *store)
{
    if (CPU(store->cpu)->cpu_index + 1 != (int)current_machine->smp.cpus) {
        ds_fault_leave_to_last(&store->model.faults);
    }
    if (store->fault_cpu == DEBUG_STORE_ALL) {
        return NULL;
    }
    if (store->fault_cpu >= current_machine->smp.cpus) {
        return "x-ds-fault-cpu: there is no such processor";
    }
    if (store->fault_cpu != (uint32_t)CPU(store->cpu)->cpu_index) {
        ds_fault_set(&store->model.faults, "");
    }
    return NULL;
}

static void get_switch(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    visit_type_bool(visitor, name, profile_field(object, opaque), errp);
}

static void set_switch(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    remember(object, opaque);
    visit_type_bool(visitor, name, profile_field(object, opaque), errp);
}

static void get_number(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    const ProfileProperty *property = opaque;
    uint64_t value = ldn_he_p(profile_field(object, property), property->size);

    visit_type_uint64(visitor, name, &value, errp);
}

static void set_number(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    const ProfileProperty *property = opaque;
    uint64_t value;

    if (!visit_type_uint64(visitor, name, &value, errp)) {
        return;
    }
    if (value > property->maximum) {
        error_setg(errp, "%s is at most %" PRIu64, name, property->maximum);
        return;
    }
    remember(object, property);
    stn_he_p(profile_field(object, property), property->size, value);
}

static void get_variation(Object *object, Visitor *visitor, const char *name, void *opaque,
                          Error **errp)
{
    char text[32];
    char *value = text;

    ds_variation_get(&X86_CPU(object)->debug_store->model.variation, opaque, text, sizeof(text));
    visit_type_str(visitor, name, &value, errp);
}

static void set_variation(Object *object, Visitor *visitor, const char *name, void *opaque,
                          Error **errp)
{
    const struct ds_variation_info *info = opaque;
    DebugStore *store = X86_CPU(object)->debug_store;
    g_autofree char *value = NULL;
    const char *fault;

    if (!visit_type_str(visitor, name, &value, errp)) {
        return;
    }
    fault = ds_variation_set(&store->model.variation, info->name, value);
    if (fault) {
        error_setg(errp, "%s=%s: %s", name, value, fault);
        return;
    }
    store->configured = true;
}

static void get_fault(Object *object, Visitor *visitor, const char *name, void *opaque,
                      Error **errp)
{
    char text[256];
    char *value = text;

    ds_fault_get(&X86_CPU(object)->debug_store->model.faults, text, sizeof(text));
    visit_type_str(visitor, name, &value, errp);
}

static void set_fault(Object *object, Visitor *visitor, const char *name, void *opaque,
                      Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;
    g_autofree char *value = NULL;
    const char *problem;

    if (!visit_type_str(visitor, name, &value, errp)) {
        return;
    }
    problem = ds_fault_set(&store->model.faults, value);
    if (problem) {
        error_setg(errp, "%s=%s: %s", name, value, problem);
        return;
    }
    store->configured = true;
}

static void set_errata(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;
    g_autofree char *value = NULL;
    const char *problem;

    if (!visit_type_str(visitor, name, &value, errp)) {
        return;
    }
    problem = ds_errata_set(&store->model.errata, value);
    if (problem) {
        error_setg(errp, "%s=%s: %s", name, value, problem);
        return;
    }
    store->configured = true;
}

static void add_profile_property(Object *object, const ProfileProperty *property)
{
    if (property->size == 0) {
        object_property_add(object, property->name, "bool", get_switch, set_switch, NULL,
                            (void *)property);
    } else {
        object_property_add(object, property->name, "uint64", get_number, set_number, NULL,
                            (void *)property);
    }
    object_property_set_description(object, property->name, property->help);
}

static void add_variation(Object *object, const struct ds_variation_info *info)
{
    g_autofree char *name = g_strdup_printf("x-ds-%s", info->name);

    object_property_add(object, name, "str", get_variation, set_variation, NULL, (void *)info);
    object_property_set_description(object, name, info->help);
}

static bool get_fast(Object *object, Error **errp)
{
    return !X86_CPU(object)->debug_store->slow;
}

static void set_fast(Object *object, bool value, Error **errp)
{
    X86_CPU(object)->debug_store->slow = !value;
    X86_CPU(object)->debug_store->configured = true;
}

void debug_store_add_properties(X86CPU *cpu)
{
    for (size_t i = 0; i < ARRAY_SIZE(profile_properties); i++) {
        add_profile_property(OBJECT(cpu), &profile_properties[i]);
    }
    for (size_t i = 0; i < ds_variation_count; i++) {
        add_variation(OBJECT(cpu), &ds_variations[i]);
    }
    object_property_add(OBJECT(cpu), "x-ds-fault", "str", get_fault, set_fault, NULL, NULL);
    object_property_set_description(OBJECT(cpu), "x-ds-fault",
                                    "a processor that breaks a claim: NAME[:1/N], joined by '+'");
    object_property_add_uint32_ptr(OBJECT(cpu), "x-ds-fault-cpu", &cpu->debug_store->fault_cpu,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_set_description(OBJECT(cpu), "x-ds-fault-cpu",
                                    "the one processor that has the fault, from 0; else all have");
    object_property_add(OBJECT(cpu), "x-ds-errata", "str", NULL, set_errata, NULL, NULL);
    object_property_set_description(
        OBJECT(cpu), "x-ds-errata",
        "published errata of this model: 'own' for all, or as x-ds-fault");
    object_property_add_bool(OBJECT(cpu), "x-ds-fast", get_fast, set_fast);
    object_property_set_description(OBJECT(cpu), "x-ds-fast",
                                    "near branches take the fast path where they can");
    debug_store_add_hypervisor_properties(cpu);
    debug_store_add_board_properties(cpu);
}
