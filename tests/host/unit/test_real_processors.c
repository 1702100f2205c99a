/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is each real processor of the public dumps (ROWS) taken for what it is? Its CPUID is the
 * row's; of its registers those that a row does not tell keep what is written.
 */
#include "arch/cpu/ground/insn.h"

static struct cpuid_result row_cpuid(uint32_t leaf, uint32_t subleaf);
#define insn_cpuid row_cpuid

#include "arch/cpu/identity/identity.c"
#define all all_lbrs
#include "arch/trace/lbr_arch.c"
#undef all
#include "arch/trace/features_probe.c"
#include "arch/trace/features_explain.c"

#include <stdlib.h>

#include "arch/cpu/identity/models.h"
#include "arch/cpu/ground/exception.h"
#include "check.h"
#include "arch/cpu/identity/features.h"

#define ROWS      "tools/reporting/processors/dumps.txt"
#define LINE_SIZE 600u
#define TEXT_SIZE 200u
#define LEAVES    32u
#define REGISTERS 0x2000u

static struct exception none = {.vector = EXCEPTION_NO_VECTOR}, refused = {.vector = 13};

/* --- the processor --- */

static struct leaf {
    uint32_t leaf, subleaf;
    struct cpuid_result result;
} leaves[LEAVES];
static unsigned leaf_count;

static uint64_t registers[REGISTERS];
static char lends[TEXT_SIZE]; /* what a hypervisor does, "" on a board */
static bool under_hypervisor, has_msrs, has_capabilities;

static struct cpuid_result *find_leaf(uint32_t leaf, uint32_t subleaf)
{
    for (unsigned i = 0; i < leaf_count; i++)
        if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf)
            return &leaves[i].result;
    return NULL;
}

/* Past the highest leaf the answer is another leaf's. */
static struct cpuid_result row_cpuid(uint32_t leaf, uint32_t subleaf)
{
    const struct cpuid_result *first = find_leaf(0, 0), *found = find_leaf(leaf, subleaf);

    if (leaf < 0x40000000 && first && leaf > first->eax)
        return (struct cpuid_result){0x03020101, 0xffffffff, 0xffffffff, 0x0c040841};
    return found ? *found : (struct cpuid_result){0};
}

struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    CHECK(has_msrs, "MSR %#x is read, and there are none", number);
    if (number >= REGISTERS || (number == IA32_PERF_CAPABILITIES && !has_capabilities))
        return refused;
    *value = registers[number];
    return none;
}

struct exception wrmsr_safe(uint32_t number, uint64_t value)
{
    CHECK(has_msrs, "MSR %#x is written, and there are none", number);
    if (number >= REGISTERS)
        return refused;
    if (under_hypervisor && number == IA32_PEBS_ENABLE && !strstr(lends, "pebs"))
        return refused;
    if (under_hypervisor && number == IA32_DEBUGCTL)
        value &= strstr(lends, "lbr") ? DEBUGCTL_LBR : 0;
    registers[number] = value;
    if (number == IA32_BIOS_SIGN_ID)
        registers[number] = UINT64_MAX; /* no update is newer */
    return none;
}

const char *exception_name(struct exception exception)
{
    return exception.vector == refused.vector ? "#GP" : "none";
}

struct trace_state *trace_state(void)
{
    static struct trace_state own;

    return &own;
}

/* An exception, as a hypervisor's last-exception record should tell of. */
struct exception probe_read(const void *address, uint8_t *value)
{
    (void)address, (void)value;
    return refused;
}

/* Nobody else uses its counters. */
bool foreign_counters_look(void)
{
    return false;
}

uint64_t foreign_counters(void)
{
    return 0;
}

uint64_t foreign_fixed_fields(void)
{
    return 0;
}

char *foreign_counters_describe(char *text, size_t size)
{
    format_string(text, size, "none");
    return text;
}

static const struct {
    const char *name;
    struct cpuid_bit cpuid; /* leaf 0: others tell */
} features[] = {
#define CPUID_FEATURE(id, kind, name, leaf, reg, bit) {name, {leaf, CPUID_##reg, bit}},
#define FEATURE(id, kind, name)                       {name, {0, CPUID_EAX, 0}},
#include "arch/cpu/identity/features.def"
#undef CPUID_FEATURE
#undef FEATURE
};

void feature_missing_reason(enum feature feature, char *text, size_t size)
{
    const char *name = features[feature].name;

    if (features[feature].cpuid.leaf)
        format_string(text, size, "CPUID has no %s", name);
    else if (!trace_explain(feature, text, size))
        explain(feature, text, size);
}

static void probe_all(void)
{
    *cpu_features() = (struct cpu_features){0};
    *trace_findings() = (struct findings){0};
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (features[i].cpuid.leaf)
            cpu_features()->present[i] = cpuid_bit_value(features[i].cpuid);
    identity_probe(&cpu_features()->identity, feature_present(FEATURE_MSR),
                   feature_present(FEATURE_HYPERVISOR));
    cpu_features()->misc_enable_readable =
        feature_present(FEATURE_MSR) &&
        !exception_happened(rdmsr_safe(IA32_MISC_ENABLE, &cpu_features()->misc_enable));
    probe();
}

const char *feature_name(enum feature feature)
{
    return features[feature].name;
}

/* --- a row --- */

static void put_leaf(uint32_t leaf, uint32_t subleaf, struct cpuid_result result)
{
    CHECK(leaf_count < LEAVES, "too many leaves");
    if (leaf_count < LEAVES)
        leaves[leaf_count++] = (struct leaf){leaf, subleaf, result};
}

/* In the order of its letters. */
static uint32_t letters(const char *text, unsigned from)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < 4 && from + i < strlen(text); i++)
        word |= (uint32_t)(uint8_t)text[from + i] << 8 * i;
    return word;
}

/* "7.1=100": leaf, sub-leaf where it is not 0, and EAX, EBX, ECX, EDX as far as they are not 0. */
static void read_leaf(const char *word)
{
    uint32_t values[4] = {0}, subleaf = 0;
    char *end;
    uint32_t leaf = (uint32_t)strtoul(word, &end, 16);

    if (*end == '.')
        subleaf = (uint32_t)strtoul(end + 1, &end, 16);
    for (unsigned i = 0; i < 4 && *end == (i ? '.' : '='); i++)
        values[i] = (uint32_t)strtoul(end + 1, &end, 16);
    CHECK(*end == '\0', "'%s' is no leaf", word);
    put_leaf(leaf, subleaf, (struct cpuid_result){values[0], values[1], values[2], values[3]});
}

static void read_word(const char *word)
{
    char *end;

    if (strncmp(word, "msr", 3) == 0) {
        uint32_t number = (uint32_t)strtoul(word + 3, &end, 16);

        CHECK(*end == '=' && number < REGISTERS, "'%s' is no register", word);
        registers[number % REGISTERS] = strtoull(end + 1, NULL, 16);
    } else if (strncmp(word, "lends=", 6) == 0) {
        strcpy(lends, word + 6);
    } else if (strncmp(word, "under=", 6) == 0) {
        put_leaf(0x40000000, 0,
                 (struct cpuid_result){0, letters(word, 6), letters(word, 10), letters(word, 14)});
    } else {
        read_leaf(word);
    }
}

static void read_words(char *line)
{
    for (char *word = strtok(line, " \n"); word && *word != '#'; word = strtok(NULL, " \n"))
        read_word(word);
}

/* The leaves of the group and of the row. The vendor comes first, and a row's leaf precedes the
 * group's. */
static void be(const char *group, const char *row)
{
    char line[LINE_SIZE], vendor[TEXT_SIZE];
    struct cpuid_result *zero, one;

    leaf_count = 0;
    memset(registers, 0, sizeof registers);
    strcpy(lends, "");
    strcpy(line, group);
    read_words(line);
    leaf_count = 0;
    CHECK(sscanf(row, "%199s", vendor) == 1, "no vendor");
    strcpy(line, row + strlen(vendor));
    read_words(line);
    zero = find_leaf(0, 0);
    CHECK(zero, "no leaf 0: %s", row);
    if (!zero)
        return;
    *zero = (struct cpuid_result){zero->eax, letters(vendor, 0), letters(vendor, 8),
                                  letters(vendor, 4)};
    one = row_cpuid(1, 0);
    has_msrs = one.edx >> 5 & 1;
    has_capabilities = one.ecx >> 15 & 1;
    under_hypervisor = one.ecx >> 31;
}

/* --- what the kernel makes of it --- */

static void format_counters(char *text, uint64_t counters)
{
    size_t length = format_string(text, TEXT_SIZE, "%lx", (uint64_t)(uint32_t)counters);

    if (counters >> 32)
        format_string(text + length, TEXT_SIZE - length, "+%lx", counters >> 32);
}

static void format_lbr(char *text)
{
    const struct lbr_stack *stack = lbr_stack_of(&cpu_features()->identity);

    if (feature_present(FEATURE_ARCH_LBR))
        format_string(text, TEXT_SIZE, "leaf");
    else if (feature_present(FEATURE_LBR))
        format_string(text, TEXT_SIZE, "%u@%x%s", stack->depth, stack->from,
                      stack->info ? "+info" : "");
    else
        format_string(text, TEXT_SIZE, "none");
}

static void format_pebs(char *text)
{
    char counters[TEXT_SIZE];

    if (feature_present(FEATURE_PEBS_ARCH)) {
        format_counters(counters, pebs_arch_counters());
        format_string(text, TEXT_SIZE, "arch:%s", counters);
    } else if (feature_present(FEATURE_PEBS_RECORDS)) {
        format_counters(counters, pebs_counters());
        format_string(text, TEXT_SIZE, "%u:%s", pebs_format(), counters);
    } else {
        format_string(text, TEXT_SIZE, "none");
    }
}

static const char *freeze(void)
{
    if (!(debugctl_enumerated() & DEBUGCTL_FREEZE_PERFMON_ON_PMI))
        return "none";
    if (!feature_present(FEATURE_PERFMON4))
        return "legacy";
    return core_has(LBR_FREEZE_IS_OPEN) ? "streamlined,lbr-open" : "streamlined";
}

static const char *decisions(void)
{
    static char text[LINE_SIZE];
    char counters[TEXT_SIZE], lbr[TEXT_SIZE], pebs[TEXT_SIZE];
    bool counts = feature_present(FEATURE_PERFMON);

    format_counters(counters, counts ? pmu_all_counters() : 0);
    format_lbr(lbr);
    format_pebs(pebs);
    format_string(text, sizeof text, "bts=%s v%u counters=%s lbr=%s pebs=%s freeze=%s",
                  feature_present(FEATURE_BTS) ? "yes" : "no",
                  counts ? trace_features()->perfmon.version : 0, counters, lbr, pebs, freeze());
    return text;
}

/* "PEBS: because of …" */
static void expect_reason(const char *line, const char *row)
{
    char why[LINE_SIZE];

    for (unsigned i = 0; i < FEATURE_COUNT; i++) {
        const char *name = feature_name((enum feature)i);
        size_t length = strlen(name);

        if (strncmp(line, name, length) != 0 || line[length] != ':')
            continue;
        feature_missing_reason((enum feature)i, why, sizeof why);
        CHECK(!feature_present((enum feature)i), "there is %s: %s", name, row);
        CHECK(strncmp(why, line + length + 2, strlen(line + length + 2)) == 0, "%s: %s: %s", name,
              why, row);
        return;
    }
    CHECK(false, "no such feature: %s", line);
}

/* --- the file --- */

static struct {
    char told[LINE_SIZE];       /* "@": of all its processors */
    char expected[LINE_SIZE];   /* "=" */
    char reasons[8][LINE_SIZE]; /* "-" */
    unsigned reason_count;
} group;

/* The log's line says of this processor what the row does. */
static void check_told(const char *row)
{
    char told[LINE_SIZE] = "", line[LINE_SIZE], vendor[TEXT_SIZE], hypervisor[TEXT_SIZE];
    bool has_host = sscanf(row, "%199s under=%199s", vendor, hypervisor) == 2;
    const char *lending = strstr(group.told, "lends=");

    trace_describe(told, sizeof told);
    format_string(line, sizeof line, "%s %s%s %s", vendor, has_host ? "under=" : "",
                  has_host ? hypervisor : "", strstr(told, "leaves:") + strlen("leaves:"));
    be(lending ? lending : "", line);
    probe_all();
    CHECK(strcmp(decisions(), group.expected) == 0, "%s is taken for %s", line, decisions());
}

static void check_row(const char *row)
{
    be(group.told, row);
    probe_all();
    CHECK(strcmp(decisions(), group.expected) == 0, "expected %s\ngot %s\nof %s", group.expected,
          decisions(), row);
    for (unsigned i = 0; i < group.reason_count; i++)
        expect_reason(group.reasons[i], row);
    check_told(row);
}

static void read_line(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#' || line[0] == ';')
        return;
    if (line[0] == '@') {
        memset(&group, 0, sizeof group);
        strcpy(group.told, line + 1);
    } else if (line[0] == '=') {
        strcpy(group.expected, line + 2);
        group.reason_count = 0;
    } else if (line[0] == '-') {
        strcpy(group.reasons[group.reason_count++ % 8], line + 2);
    } else {
        check_row(line);
    }
}

int main(void)
{
    FILE *file = fopen(ROWS, "r");
    char line[LINE_SIZE];
    unsigned rows = 0;

    if (!file) {
        perror(ROWS);
        return 1;
    }
    for (; fgets(line, sizeof line, file); rows++)
        read_line(line);
    fclose(file);
    CHECK(rows > 300, "%u rows", rows);
    return check_result();
}
