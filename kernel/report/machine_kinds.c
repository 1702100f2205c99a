/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/machine_kinds.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/processors.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/place.h"

#define TEXT_SIZE 400u

static char *list_ids(unsigned first, char text[TEXT_SIZE])
{
    text[0] = '\0';
    for (unsigned i = first; i < processor_count(); i++)
        if (features_are_probed(i) && place_first_of_kind(i) == first)
            format_append(text, TEXT_SIZE, "%s%u", text[0] != '\0' ? ", " : "",
                          processor_apic_id(i));
    return text;
}

static char *label_of(unsigned processor, char label[PLACE_LABEL_SIZE])
{
    return place_label(processor, features_identity(processor), label);
}

/* Microcode and platform decide with the signature which errata there are (F24.25). */
static void print_kind(unsigned first)
{
    const struct cpu_identity *identity = features_identity(first);
    char label[PLACE_LABEL_SIZE], ids[TEXT_SIZE];

    ktap_comment(0,
                 "kind: %s, APIC id %s: CPUID.1AH:EAX = 0x%08x, %02X_%02XH stepping %u, microcode "
                 "0x%08x, platform id %u",
                 label_of(first, label), list_ids(first, ids), identity->core, identity->family,
                 identity->model, identity->stepping, identity->microcode, identity->platform);
}

/* What one has and the other has not. */
static void print_features(const char *what, unsigned first, unsigned other)
{
    char text[TEXT_SIZE] = "", label[PLACE_LABEL_SIZE];
    bool has[FEATURE_COUNT];

    features_view(other);
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        has[i] = feature_present((enum feature)i);
    features_view(first);
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (feature_present((enum feature)i) && !has[i])
            format_append(text, TEXT_SIZE, "%s %s", text[0] == '\0' ? "" : ",",
                          feature_name((enum feature)i));
    if (text[0] != '\0')
        ktap_comment(0, "%s %s:%s", what, label_of(first != 0 ? first : other, label), text);
}

/* Line by line, where its lines are others. */
static void print_descriptions(unsigned first)
{
    char text[TEXT_SIZE], usual[TEXT_SIZE], label[PLACE_LABEL_SIZE];

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

void machine_print_kinds(void)
{
    print_unprobed();
    for (unsigned i = 0; i < processor_count() && place_kinds_differ(); i++) {
        if (!features_are_probed(i) || place_first_of_kind(i) != i)
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
