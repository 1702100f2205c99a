/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/machine.h"

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/identity/topology.h"
#include "arch/lib/printf.h"
#include "kernel/machine/event.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/time.h"
#include "arch/lib/string.h"
#include "kernel/machine/cpu_label.h"

#define IDS_SIZE 80u

const char *apic_mode_name(void)
{
    static const char *const names[] = {"absent", "xAPIC", "x2APIC"};

    return names[apic_mode()];
}

static char *list_ids(unsigned first, char text[IDS_SIZE])
{
    *text = '\0';
    for (unsigned i = first; i < processor_count(); i++)
        format_append(text, IDS_SIZE, "%s %u", i == first ? "" : ",", processor_apic_id(i));
    return text;
}

void machine_print_call(void)
{
    char ids[IDS_SIZE];

    if (processor_count() > 1)
        ktap_comment(0, "starting for a trial: APIC id%s, at 0x%x", list_ids(1, ids),
                     processor_low_address());
}

static void print_absent(const struct processor_call *call)
{
    char event[EVENT_TEXT_SIZE], errors[32] = "";

    if (call->has_exception)
        event_format(&call->exception.frame, call->exception.cr2, PROCESSORS_MAX - 1, event,
                     sizeof(event));
    if (call->errors != 0)
        format_string(errors, sizeof(errors), " (APIC error status 0x%x)", call->errors);
    ktap_comment(0, "processor with APIC id %u is not used: %s%s", call->apic_id,
                 call->has_exception ? event : call->wrong, errors);
}

static void print_those_absent(void)
{
    const struct processor_call *first;
    unsigned count = processors_absent(&first);

    for (unsigned i = 0; i < count && i < PROCESSORS_ABSENT_KEPT; i++)
        print_absent(&first[i]);
    if (count > PROCESSORS_ABSENT_KEPT)
        ktap_comment(0, "processors that are not used either: %u more that did not come",
                     count - PROCESSORS_ABSENT_KEPT);
    if (processors_call_ended_early())
        ktap_comment(0, "processors that were not called: those behind them, the time was up");
}

static char *format_distance(int64_t ahead, char text[IDS_SIZE])
{
    uint64_t ticks = (uint64_t)(ahead < 0 ? -ahead : ahead);
    uint64_t milliseconds = ticks / 1000 / time_tsc_per_microsecond();

    format_string(text, IDS_SIZE, "%lu.%03lu s %s", milliseconds / 1000, milliseconds % 1000,
                  ahead < 0 ? "behind" : "ahead");
    return milliseconds > 0 ? text : NULL;
}

void machine_print_tsc(uint32_t apic_id, int64_t ahead)
{
    char text[IDS_SIZE];

    if (format_distance(ahead, text) != NULL)
        ktap_comment(0, "tsc of APIC id %u: %s", apic_id, text);
}

/* Nothing here minds; what else runs on the board may. */
static void print_tscs_apart(void)
{
    char text[IDS_SIZE];
    uint32_t apic_id;
    int64_t ahead;
    unsigned apart = processors_tsc_apart(&apic_id, &ahead);

    if (apart > 0)
        ktap_comment(
            0, "tscs: apart on %u of the processors that were called, the most on APIC id %u: %s",
            apart, apic_id, format_distance(ahead, text));
}

static void print_kinship(void)
{
    static const char *const names[] = {[KIN_CORE] = "in the same core",
                                        [KIN_PACKAGE] = "in the same package",
                                        [KIN_NONE] = "in another package"};
    struct topology topology = topology_read(cpu_features()->identity.max_leaf, insn_cpuid);
    char text[3 * IDS_SIZE] = "";

    if (topology.leaf == 0 || processor_count() == 1)
        return;
    for (unsigned i = 1; i < processor_count(); i++)
        format_append(
            text, sizeof(text), "%s %u %s", i == 1 ? "" : ",", processor_apic_id(i),
            names[topology_kinship(&topology, processor_apic_id(0), processor_apic_id(i))]);
    ktap_comment(0, "topology: APIC id %u;%s (CPUID.%02XH)", topology.id, text, topology.leaf);
}

static char *format_topology(uint32_t apic_id, char text[IDS_SIZE])
{
    struct topology topology = topology_read(cpu_features()->identity.max_leaf, insn_cpuid);
    struct topology_place place = topology_place(&topology, apic_id);

    if (topology.leaf == 0)
        format_string(text, IDS_SIZE, "package=? core=? thread=?");
    else
        format_string(text, IDS_SIZE, "package=%u core=%u thread=%u", place.package, place.core,
                      place.thread);
    return text;
}

void machine_print_processor(unsigned number, uint32_t apic_id, const struct cpu_identity *identity)
{
    const char *letter = identity != NULL ? identity_core_letter(identity) : "?";
    char text[IDS_SIZE];

    ktap_comment(0, "cpu: apic=%u %s kind=%s number=%u", apic_id, format_topology(apic_id, text),
                 letter[0] != '\0' ? letter : "-", number);
}

/* Which of them are used, where not all are. */
static void print_count(void)
{
    char ids[IDS_SIZE];

    if (processors_listed() == processor_count())
        ktap_comment(0, "processors: %u", processor_count());
    else
        ktap_comment(0, "processors: %u, those with APIC id%s are used", processors_listed(),
                     list_ids(0, ids));
    if (processors_out_of_reach() > 0)
        ktap_comment(0, "processors that %s mode cannot address: %u, with APIC ids above 254",
                     apic_mode_name(), processors_out_of_reach());
    if (processors_missing() != NULL)
        ktap_comment(0, "other processors: %s", processors_missing());
}

#define KINDS_TEXT_SIZE 400u

static char *list_kind_ids(unsigned first, char text[KINDS_TEXT_SIZE])
{
    text[0] = '\0';
    for (unsigned i = first; i < processor_count(); i++)
        if (features_are_probed(i) && cpu_first_of_kind(i) == first)
            format_append(text, KINDS_TEXT_SIZE, "%s%u", text[0] != '\0' ? ", " : "",
                          processor_apic_id(i));
    return text;
}

static char *label_of(unsigned processor, char label[CPU_LABEL_SIZE])
{
    return cpu_label_of(processor, features_identity(processor), label);
}

/* Microcode and platform decide with the signature which errata there are (F24.25). */
static void print_kind(unsigned first)
{
    const struct cpu_identity *identity = features_identity(first);
    char label[CPU_LABEL_SIZE], ids[KINDS_TEXT_SIZE];

    ktap_comment(0,
                 "kind: %s, APIC id %s: CPUID.1AH:EAX = 0x%08x, %02X_%02XH stepping %u, microcode "
                 "0x%08x, platform id %u",
                 label_of(first, label), list_kind_ids(first, ids), identity->core,
                 identity->family, identity->model, identity->stepping, identity->microcode,
                 identity->platform);
}

/* What one has and the other has not. */
static void print_features(const char *what, unsigned first, unsigned other)
{
    char text[KINDS_TEXT_SIZE] = "", label[CPU_LABEL_SIZE];
    bool has[FEATURE_COUNT];

    features_view(other);
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        has[i] = feature_present((enum feature)i);
    features_view(first);
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (feature_present((enum feature)i) && !has[i])
            format_append(text, KINDS_TEXT_SIZE, "%s %s", text[0] == '\0' ? "" : ",",
                          feature_name((enum feature)i));
    if (text[0] != '\0')
        ktap_comment(0, "%s %s:%s", what, label_of(first != 0 ? first : other, label), text);
}

/* Line by line, where its lines are others. */
static void print_descriptions(unsigned first)
{
    char text[KINDS_TEXT_SIZE], usual[KINDS_TEXT_SIZE], label[CPU_LABEL_SIZE];

    for (size_t i = 0;; i++) {
        features_view(0);
        if (!features_describe(i, usual, sizeof(usual)))
            return;
        features_view(first);
        features_describe(i, text, sizeof(text));
        if (strcmp(text, usual) != 0)
            ktap_comment(0, "of %s: %s", label_of(first, label), text);
    }
}

static void print_unprobed(void)
{
    for (unsigned i = 1; i < processor_count(); i++)
        if (processor_unprobed(i) != NULL)
            ktap_comment(0, "processor %u, APIC id %u, did not say what it has: %s", i,
                         processor_apic_id(i), processor_unprobed(i));
}

/* Prints each processor's kind, and its differences from the one that booted; nothing if all are
 * alike. Always names those whose capabilities could not be probed. */
static void print_kinds(void)
{
    print_unprobed();
    for (unsigned i = 0; i < processor_count() && cpu_kinds_differ(); i++) {
        if (!features_are_probed(i) || cpu_first_of_kind(i) != i)
            continue;
        print_kind(i);
        if (i == 0)
            continue;
        print_features("only on", i, 0);
        print_features("not on", 0, i);
        print_descriptions(i);
    }
    features_view(0);
}

void machine_print_processors(void)
{
    print_count();
    print_those_absent();
    print_tscs_apart();
    print_kinship();
    print_kinds();
}
