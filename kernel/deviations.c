/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/deviations.h"

#include "arch/lib/printf.h"
#include "kernel/selection.h"
#include "arch/lib/string.h"

#define FAMILY    6u
#define NAME_SIZE 256u

#define ROW_SILICON(models_, steppings_, fixed_, glob_, always_, id_, effect_, source_)            \
    {.owner = DEVIATION_OF_SILICON,                                                                \
     .models = {models_},                                                                          \
     .steppings = {steppings_},                                                                    \
     .microcode_fixed = fixed_,                                                                    \
     .glob = glob_,                                                                                \
     .always = always_,                                                                            \
     .id = id_,                                                                                    \
     .effect = effect_,                                                                            \
     .source = source_},
#define ROW_HYPERVISOR(hypervisor_, glob_, always_, id_, effect_, source_)                         \
    {.owner = DEVIATION_OF_HYPERVISOR,                                                             \
     .hypervisor = hypervisor_,                                                                    \
     .glob = glob_,                                                                                \
     .always = always_,                                                                            \
     .id = id_,                                                                                    \
     .effect = effect_,                                                                            \
     .source = source_},
#define ROW_ANY(glob_, always_, id_, effect_, source_)                                             \
    {.owner = DEVIATION_OF_ANY,                                                                    \
     .glob = glob_,                                                                                \
     .always = always_,                                                                            \
     .id = id_,                                                                                    \
     .effect = effect_,                                                                            \
     .source = source_},

static const struct deviation table[] = {
#include "kernel/deviations.def"
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

static const struct cpu_identity *processor;

/* An emulator gives a model's name and none of its errata. */
static bool is_emulated(const struct cpu_identity *cpu)
{
    return strcmp(cpu->hypervisor, "TCGTCGTCGTCG") == 0;
}

static bool has_model(const struct deviation *row, uint32_t model)
{
    for (size_t i = 0; i < DEVIATION_MODEL_COUNT && row->models[i] != 0; i++) {
        if (row->models[i] == model)
            return true;
    }
    return false;
}

static bool is_fixed(const struct deviation *row, const struct cpu_identity *cpu)
{
    bool is_guest = cpu->hypervisor[0] != '\0';

    return row->microcode_fixed != 0 && !is_guest && cpu->microcode >= row->microcode_fixed;
}

static bool silicon_deviates(const struct deviation *row, const struct cpu_identity *cpu)
{
    return strcmp(cpu->vendor, "GenuineIntel") == 0 && !is_emulated(cpu) && cpu->family == FAMILY &&
           has_model(row, cpu->model) && cpu->stepping >= row->steppings[0] &&
           cpu->stepping <= row->steppings[1] && !is_fixed(row, cpu);
}

bool deviation_applies(const struct deviation *row, const struct cpu_identity *cpu)
{
    switch (row->owner) {
    case DEVIATION_OF_SILICON:
        return silicon_deviates(row, cpu);
    case DEVIATION_OF_HYPERVISOR:
        return strcmp(row->hypervisor, cpu->hypervisor) == 0;
    default:
        return true;
    }
}

const struct deviation *deviation_row(size_t i)
{
    return i < TABLE_SIZE ? &table[i] : NULL;
}

void deviations_select(const struct cpu_identity *cpu)
{
    processor = cpu;
}

static bool is_in_force(const struct deviation *row)
{
    return processor != NULL && deviation_applies(row, processor);
}

const struct deviation *deviation_find(const struct test *test, const char *subtest)
{
    char name[TEST_NAME_SIZE];
    char whole[NAME_SIZE];

    format_string(whole, sizeof(whole), "%s.%s", test_full_name(test, name),
                  subtest == NULL ? "" : subtest);
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        bool matches = glob_match(table[i].glob, name) ||
                       (subtest != NULL && glob_match(table[i].glob, whole));

        if (matches && is_in_force(&table[i]))
            return &table[i];
    }
    return NULL;
}

/* Whether an earlier row that applies has the same id. */
static bool was_named(size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (is_in_force(&table[i]) && strcmp(table[i].id, table[row].id) == 0)
            return true;
    }
    return false;
}

char *deviations_format(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < TABLE_SIZE && used < size; i++) {
        if (table[i].owner != DEVIATION_OF_ANY && is_in_force(&table[i]) && !was_named(i))
            used += (size_t)format_string(text + used, size - used, " %s", table[i].id);
    }
    return text;
}
