// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of the facilities that may not be lent, and what becomes of their registers. */
#include "not_lent.h"

#include <string.h>

#include "arch_lbr.h"
#include "arch_pebs.h"
#include "counter_msr.h"
#include "debugctl.h"
#include "lbr.h"
#include "ler.h"
#include "number.h"
#include "pebs.h"

#define IA32_DS_AREA                0x600
#define MSR_UNCORE_PERF_GLOBAL_CTRL 0x391

#define BTS_BITS                                                                                   \
    (DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)
#define FREEZE_BITS                                                                                \
    (DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM)

static const struct {
    const char *name;
    uint32_t facility;
} names[] = {
    {"bts", DS_FACILITY_BTS},           {"ds-area", DS_FACILITY_DS_AREA},
    {"pebs", DS_FACILITY_PEBS},         {"freeze", DS_FACILITY_FREEZE},
    {"lbr", DS_FACILITY_LBR},           {"btf", DS_FACILITY_BTF},
    {"ler", DS_FACILITY_LER},           {"pmi", DS_FACILITY_PMI},
    {"counters", DS_FACILITY_COUNTERS},
};

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

static uint32_t facility_called(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (is_word(names[i].name, name, length)) {
            return names[i].facility;
        }
    }
    return 0;
}

static bool parse_way(const char *way, size_t length, bool *drops)
{
    *drops = is_word("drop", way, length);
    return *drops || is_word("fault", way, length);
}

/* NAME, NAME:fault or NAME:drop. */
static const char *set_one(void *opaque, const char *text, size_t length)
{
    struct ds_not_lent *settings = opaque;
    const char *colon = memchr(text, ':', length);
    size_t name_length = colon ? (size_t)(colon - text) : length;
    uint32_t facility = facility_called(text, name_length);
    bool drops;

    if (!facility) {
        return "a facility is bts, ds-area, pebs, freeze, lbr, btf, ler, pmi or counters";
    }
    if (colon && !parse_way(colon + 1, length - name_length - 1, &drops)) {
        return "after the colon comes fault or drop";
    }
    settings->facilities |= facility;
    if (colon) {
        *(drops ? &settings->drop : &settings->fault) |= facility;
    }
    return settings->drop & settings->fault ? "one facility has two ways" : NULL;
}

const char *ds_not_lent_set(struct ds_not_lent *settings, const char *text)
{
    struct ds_not_lent fresh = {.others_drop = settings->others_drop};
    const char *wrong = number_each_name(text, set_one, &fresh);

    if (!wrong) {
        *settings = fresh;
    }
    return wrong;
}

const char *ds_not_lent_set_way(struct ds_not_lent *settings, const char *text)
{
    bool drops;

    if (!parse_way(text, strlen(text), &drops)) {
        return "a way is fault or drop";
    }
    settings->others_drop = drops;
    return NULL;
}

bool not_lent_drops(const struct ds_cpu *cpu, enum ds_facility facility)
{
    const struct ds_not_lent *settings = &cpu->not_lent;

    return settings->drop & facility || (settings->others_drop && !(settings->fault & facility));
}

bool not_lent_take_out(const struct ds_cpu *cpu, enum ds_facility facility, uint64_t bits,
                       uint64_t *value)
{
    if (is_lent(cpu, facility)) {
        return true;
    }
    if (*value & bits && !not_lent_drops(cpu, facility)) {
        return false;
    }
    *value &= ~bits;
    return true;
}

/* Beside architectural LBRs bit 0 is not what enables them. */
bool not_lent_debugctl(const struct ds_cpu *cpu, uint64_t *value)
{
    uint64_t lbr = cpu->profile.arch_lbr ? 0 : DEBUGCTL_LBR;

    return not_lent_take_out(cpu, DS_FACILITY_BTS, BTS_BITS, value) &&
           not_lent_take_out(cpu, DS_FACILITY_FREEZE, FREEZE_BITS, value) &&
           not_lent_take_out(cpu, DS_FACILITY_LBR, lbr, value) &&
           not_lent_take_out(cpu, DS_FACILITY_BTF, DEBUGCTL_BTF, value);
}

static bool answers(enum ds_msr_result result)
{
    return result == DS_MSR_DONE;
}

/* No facility's: it is of other states, too, or of the package. */
static bool is_shared(const struct ds_cpu *cpu, uint32_t msr)
{
    return msr == IA32_XSS || (msr == MSR_UNCORE_PERF_GLOBAL_CTRL && cpu->profile.uncore_391);
}

/* The facility that a register is a part of, as a whole; 0: of none, or there is no such one. */
static enum ds_facility facility_of(struct ds_cpu *cpu, uint32_t msr)
{
    bool offcore = msr == MSR_OFFCORE_RSP_0 || msr == MSR_OFFCORE_RSP_1;
    uint64_t value;

    if (is_shared(cpu, msr)) {
        return 0;
    }
    if (msr == IA32_DS_AREA) {
        return cpu->profile.ds ? DS_FACILITY_DS_AREA : 0;
    }
    if (answers(counter_msr_read(cpu, msr, &value))) {
        return DS_FACILITY_COUNTERS;
    }
    if (answers(pebs_msr_read(cpu, msr, &value)) || answers(arch_pebs_msr_read(cpu, msr, &value))) {
        return offcore ? DS_FACILITY_COUNTERS : DS_FACILITY_PEBS;
    }
    if (answers(lbr_msr_read(cpu, msr, &value)) || answers(arch_lbr_msr_read(cpu, msr, &value))) {
        return DS_FACILITY_LBR;
    }
    return answers(ler_msr_read(cpu, msr, &value)) ? DS_FACILITY_LER : 0;
}

bool not_lent_register(struct ds_cpu *cpu, uint32_t msr, enum ds_msr_result *result)
{
    bool all = !cpu->profile.present || !cpu->not_lent.facilities;
    enum ds_facility facility = all ? 0 : facility_of(cpu, msr);

    if (is_lent(cpu, facility)) {
        return false;
    }
    *result = not_lent_drops(cpu, facility) ? DS_MSR_DONE : DS_MSR_FAULT;
    return true;
}
