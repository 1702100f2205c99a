// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hypervisor's guest: the hypervisor's signature, and the facilities that are enumerated but not
 * lent.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "state.h"

#define LEAF_HYPERVISOR 0x40000000u
#define SIGNATURE       "^[\\x20-\\x7e]{1,12}$"

static void settle(DebugStore *store, const char *property, const char *text, const char *wrong,
                   Error **errp)
{
    if (wrong) {
        error_setg(errp, "%s=%s: %s", property, text, wrong);
    } else {
        store->configured = true;
    }
}

static void set_hypervisor(Object *object, const char *text, Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;
    bool good = g_regex_match_simple(SIGNATURE, text, 0, 0);

    memset(store->hypervisor, 0, sizeof(store->hypervisor));
    memcpy(store->hypervisor, text, good ? strlen(text) : 0);
    settle(store, "x-ds-hypervisor", text, good ? NULL : "wants a signature of 1 to 12 characters",
           errp);
}

static void set_not_lent(Object *object, const char *text, Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;

    settle(store, "x-ds-not-lent", text, ds_not_lent_set(&store->model.not_lent, text), errp);
}

static void set_way(Object *object, const char *text, Error **errp)
{
    DebugStore *store = X86_CPU(object)->debug_store;

    store->not_lent_way = true;
    settle(store, "x-ds-not-lent-way", text, ds_not_lent_set_way(&store->model.not_lent, text),
           errp);
}

static void add(Object *object, const char *name,
                void (*set)(Object *object, const char *text, Error **errp), const char *help)
{
    object_property_add_str(object, name, NULL, set);
    object_property_set_description(object, name, help);
}

void debug_store_add_hypervisor_properties(X86CPU *cpu)
{
    add(OBJECT(cpu), "x-ds-hypervisor", set_hypervisor,
        "signature in CPUID.40000000H, at most 12 characters: VMwareVMware");
    add(OBJECT(cpu), "x-ds-not-lent", set_not_lent,
        "what is enumerated and has nothing behind it: bts+ds-area+pebs+freeze+lbr+btf+ler+pmi+"
        "counters, each alone or as NAME:fault, NAME:drop");
    add(OBJECT(cpu), "x-ds-not-lent-way", set_way,
        "of those that do not say it themselves, a write is refused (fault), or has no effect");
}

const char *debug_store_settle_hypervisor(const DebugStore *store)
{
    if (store->hypervisor[0] && !(store->cpu->env.features[FEAT_1_ECX] & CPUID_EXT_HYPERVISOR)) {
        return "x-ds-hypervisor and hypervisor=off contradict each other";
    }
    if (store->not_lent_way && !store->model.not_lent.facilities) {
        return "x-ds-not-lent-way needs x-ds-not-lent";
    }
    return NULL;
}

void debug_store_hypervisor_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax, uint32_t *ebx,
                                  uint32_t *ecx, uint32_t *edx)
{
    const DebugStore *store = debug_store_of(env);

    if (leaf == LEAF_HYPERVISOR && store->hypervisor[0]) {
        *eax = LEAF_HYPERVISOR; /* the highest of its leaves */
        *ebx = ldl_le_p(store->hypervisor);
        *ecx = ldl_le_p(store->hypervisor + 4);
        *edx = ldl_le_p(store->hypervisor + 8);
    }
}
