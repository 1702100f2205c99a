/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/errata.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/lib/words.h"
#include "kernel/report/ktap.h"
#include "kernel/report/selection.h"

#define EACH_TIME  1000u /* per thousand */
#define ALLOWED    6u    /* where little is compared, chance may exceed any rate */
#define SELDOM     10u   /* per thousand; below that, two chances are enough */
#define KIND(name) (1ull << FINDING_##name)

#define ROW_SILICON(...) SILICON(__VA_ARGS__) /* a macro in a row holds several */
#define SILICON(id_, cores_, first_, last_, fixed_, kinds_, symptom_, rate_, effect_, source_)     \
    {.owner = ERRATUM_OF_SILICON,                                                                  \
     .cores = cores_,                                                                              \
     .steppings = {first_, last_},                                                                 \
     .microcode_fixed = fixed_,                                                                    \
     .kinds = kinds_,                                                                              \
     .symptom = symptom_,                                                                          \
     .per_thousand = rate_,                                                                        \
     .id = id_,                                                                                    \
     .effect = effect_,                                                                            \
     .source = source_},
#define ROW_HYPERVISOR(id_, hypervisor_, tests_, kinds_, effect_, source_)                         \
    {.owner = ERRATUM_OF_HYPERVISOR,                                                               \
     .hypervisor = hypervisor_,                                                                    \
     .tests = tests_,                                                                              \
     .kinds = kinds_,                                                                              \
     .symptom = symptom_any,                                                                       \
     .per_thousand = EACH_TIME,                                                                    \
     .id = id_,                                                                                    \
     .effect = effect_,                                                                            \
     .source = source_},
#define ROW_ANY(id_, tests_, kinds_, symptom_, always_, effect_, source_)                          \
    {.owner = ERRATUM_OF_ANY,                                                                      \
     .tests = tests_,                                                                              \
     .kinds = kinds_,                                                                              \
     .symptom = symptom_,                                                                          \
     .per_thousand = EACH_TIME,                                                                    \
     .always = always_,                                                                            \
     .id = id_,                                                                                    \
     .effect = effect_,                                                                            \
     .source = source_},

static const struct erratum table[] = {
#include "kernel/report/errata.def"
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

_Static_assert(TABLE_SIZE <= ERRATA_MAX, "more errata than a test counts");
_Static_assert(CORES <= 64, "more cores than a row can name");
_Static_assert(FINDING_KINDS <= 64, "more kinds than a row can name");

static const struct cpu_identity *processor;
static unsigned totals[ERRATA_MAX];
LEARNED_STATE(totals);

/* An emulator gives a model's name and none of its errata. */
static bool is_emulated(const struct cpu_identity *cpu)
{
    return strcmp(cpu->hypervisor, "TCGTCGTCGTCG") == 0;
}

static bool is_fixed(const struct erratum *row, const struct cpu_identity *cpu)
{
    bool is_guest = cpu->hypervisor[0] != '\0';

    return row->microcode_fixed != 0 && !is_guest && cpu->microcode >= row->microcode_fixed;
}

static bool silicon_has_it(const struct erratum *row, const struct cpu_identity *cpu)
{
    return !is_emulated(cpu) && (row->cores >> core_of(cpu) & 1) != 0 &&
           cpu->stepping >= row->steppings[0] && cpu->stepping <= row->steppings[1] &&
           !is_fixed(row, cpu);
}

bool erratum_applies(const struct erratum *row, const struct cpu_identity *cpu)
{
    switch (row->owner) {
    case ERRATUM_OF_SILICON:
        return silicon_has_it(row, cpu);
    case ERRATUM_OF_HYPERVISOR:
        return strcmp(row->hypervisor, cpu->hypervisor) == 0;
    default:
        return true;
    }
}

bool erratum_explains(const struct erratum *row, const struct finding *finding)
{
    return !finding_is_of_the_test(finding->kind) && row->kinds >> finding->kind & 1 &&
           row->symptom(finding);
}

bool erratum_excuses(const struct erratum *row)
{
    return row->per_thousand > 0;
}

uint64_t erratum_allows(const struct erratum *row, uint64_t compared)
{
    if (row->per_thousand >= EACH_TIME)
        return UINT64_MAX;
    return (row->per_thousand < SELDOM ? 2 : ALLOWED) + compared * row->per_thousand / 1000;
}

const struct erratum *erratum_row(size_t i)
{
    return i < TABLE_SIZE ? &table[i] : NULL;
}

void errata_select(const struct cpu_identity *cpu)
{
    processor = cpu;
}

static bool is_in_force(const struct erratum *row)
{
    return processor != NULL && erratum_applies(row, processor);
}

static bool is_about(const struct erratum *row, const struct test *test)
{
    char name[TEST_NAME_SIZE];

    return row->tests == NULL || glob_match(row->tests, test_full_name(test, name));
}

/* The first row with the same id: some errata have several. */
static size_t first_of_id(size_t row)
{
    size_t first = 0;

    while (strcmp(table[first].id, table[row].id) != 0)
        first++;
    return first;
}

size_t errata_find(const struct test *test, const struct finding *finding)
{
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        if (erratum_explains(&table[i], finding) && is_in_force(&table[i]) &&
            is_about(&table[i], test))
            return erratum_excuses(&table[i]) ? first_of_id(i) : i;
    }
    return ERRATA_MAX;
}

const struct erratum *errata_certain(const struct test *test)
{
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        if (table[i].always && is_in_force(&table[i]) && is_about(&table[i], test))
            return &table[i];
    }
    return NULL;
}

/* Whether an earlier row that applies has the same id. */
static bool was_named(size_t row)
{
    for (size_t i = first_of_id(row); i < row; i++) {
        if (is_in_force(&table[i]) && strcmp(table[i].id, table[row].id) == 0)
            return true;
    }
    return false;
}

char *errata_format(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < TABLE_SIZE && used < size; i++) {
        if (table[i].owner != ERRATUM_OF_ANY && is_in_force(&table[i]) && !was_named(i))
            used += (size_t)format_string(text + used, size - used, " %s", table[i].id);
    }
    return text;
}

char *errata_format_counts(const unsigned *counts, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < TABLE_SIZE && used < size; i++) {
        if (counts[i] > 0)
            used += (size_t)format_string(text + used, size - used, "%s%s x%u", used > 0 ? " " : "",
                                          table[i].id, counts[i]);
    }
    return text;
}

void errata_count(size_t row, unsigned count)
{
    totals[row] += count;
}

const unsigned *errata_counts(void)
{
    return totals;
}

void errata_print_summary(void)
{
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        if (totals[i] > 0)
            ktap_comment(LEVEL_RUN, "errata: %s x%u (%s)", table[i].id, totals[i], table[i].effect);
    }
}

#define LOW_END 0x0000800000000000ull /* the first address that is not canonical */
#define SIGN    0xffff000000000000ull /* the upper bits, where bit 47 is copied into them */

/* All of these circumstances, whatever else. */
#define UNDER_ALL(finding, under_) (((finding)->under & (under_)) == (under_))

#define SYMPTOM(name, condition)                                                                   \
    bool symptom_##name(const struct finding *finding)                                             \
    {                                                                                              \
        return condition;                                                                          \
    }
#include "kernel/report/errata_symptoms.def"
#undef SYMPTOM
