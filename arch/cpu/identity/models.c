/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/identity/models.h"

#include <stddef.h>

static const struct core_facts cores[CORES] = {
#define CORE(id, lbr_, pebs_, traits_) [CORE_##id] = {lbr_, pebs_, traits_},
#include "arch/cpu/identity/models.def"
#undef CORE
};

struct processor {
    uint8_t family, model;
    enum core core, beside; /* of the Core line (on a hybrid), and of the Atom line */
    const char *name;
};

static const struct processor processors[] = {
#define PROCESSOR(family_, model_, core_, name_)                                                   \
    {family_, model_, CORE_##core_, CORE_##core_, name_},
#define HYBRID(family_, model_, core_, beside_, name_)                                             \
    {family_, model_, CORE_##core_, CORE_##beside_, name_},
#include "arch/cpu/identity/models.def"
#undef PROCESSOR
#undef HYBRID
};

static const struct processor *processor_of(const struct cpu_identity *identity)
{
    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++)
        if (processors[i].family == identity->family && processors[i].model == identity->model)
            return identity_is_intel(identity) ? &processors[i] : NULL;
    return NULL;
}

enum core core_of(const struct cpu_identity *identity)
{
    const struct processor *processor = processor_of(identity);

    if (!processor)
        return CORE_UNKNOWN;
    return identity->core >> CORE_TYPE == CORE_ATOM ? processor->beside : processor->core;
}

const struct core_facts *core_facts(const struct cpu_identity *identity)
{
    return &cores[core_of(identity)];
}

const char *processor_name(const struct cpu_identity *identity)
{
    const struct processor *processor = processor_of(identity);

    return processor ? processor->name : NULL;
}
