// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mutants' properties: which one (x-ds-mutant), and the record of what was reached: which
 * points, while a word in the guest's memory had which value (x-ds-mutants-reached and -word).
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/thread.h"
#include "exec/cpu-common.h"
#include "hw/core/cpu.h"
#include "state.h"
#include "mutants.h"
#include "mutants_count.h" /* DS_MUTANTS_LAST, DS_POINTS_LAST */

#if __has_include("system/memory.h")
#include "system/address-spaces.h"
#include "system/memory.h"
#else
#include "exec/address-spaces.h"
#include "exec/memory.h"
#endif

#define WORDS_MAX 4096 /* values that the word may have in one run */

struct reached {
    uint64_t word;
    uint8_t points[DS_POINTS_LAST + 1];
};

uint32_t ds_mutant;
bool ds_mutants_record;

static char *record_name;
static uint64_t word_address;
static const uint64_t *word; /* NULL until it is found */
static struct reached *records[WORDS_MAX];
static unsigned record_count;
static struct reached *volatile newest;
static QemuMutex lock;

/* The word, as the host has it; the machine has its memory when the first processor runs. */
static uint64_t present_word(void)
{
    hwaddr size = sizeof(*word);

    if (!word && (word_address == 0 || !current_cpu)) {
        return 0;
    }
    if (!word) {
        word = address_space_map(&address_space_memory, word_address, &size, false,
                                 MEMTXATTRS_UNSPECIFIED);
        if (!word || size < sizeof(*word)) {
            error_report("x-ds-mutants-word: no memory at 0x%" PRIx64, word_address);
            exit(1);
        }
    }
    return qatomic_read(word);
}

static struct reached *find_or_make(uint64_t value)
{
    for (unsigned i = 0; i < record_count; i++) {
        if (records[i]->word == value) {
            return records[i];
        }
    }
    if (record_count == WORDS_MAX) {
        error_report("x-ds-mutants-word: more than %d values: is that the right address?",
                     WORDS_MAX);
        exit(1);
    }
    records[record_count] = g_new0(struct reached, 1);
    records[record_count]->word = value;
    return records[record_count++];
}

void ds_mutants_reached(uint32_t point)
{
    uint64_t value = present_word();
    struct reached *record = newest;

    if (!record || record->word != value) {
        qemu_mutex_lock(&lock);
        record = find_or_make(value);
        newest = record;
        qemu_mutex_unlock(&lock);
    }
    record->points[point] = 1;
}

static void write_record(FILE *file, const struct reached *record)
{
    fprintf(file, "%016" PRIx64, record->word);
    for (unsigned point = 1; point <= DS_POINTS_LAST; point++) {
        if (record->points[point]) {
            fprintf(file, " %u", point);
        }
    }
    fputc('\n', file);
}

static void write_records(void)
{
    FILE *file = fopen(record_name, "w");

    if (!file) {
        fprintf(stderr, "x-ds-mutants-reached: %s: %s\n", record_name, strerror(errno));
        return;
    }
    for (unsigned i = 0; i < record_count; i++) {
        write_record(file, records[i]);
    }
    fprintf(file, "end\n"); /* without it the file is not whole */
    if (fclose(file)) {
        fprintf(stderr, "x-ds-mutants-reached: %s: %s\n", record_name, strerror(errno));
    }
}

static void set_mutant(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    uint32_t value;

    if (!visit_type_uint32(visitor, name, &value, errp)) {
        return;
    }
    if (value > DS_MUTANTS_LAST) {
        error_setg(errp, "%s is at most %d", name, DS_MUTANTS_LAST);
        return;
    }
    ds_mutant = value;
}

static void get_mutant(Object *object, Visitor *visitor, const char *name, void *opaque,
                       Error **errp)
{
    visit_type_uint32(visitor, name, &ds_mutant, errp);
}

/* Each processor of a machine is told the same. */
static void set_reached(Object *object, Visitor *visitor, const char *name, void *opaque,
                        Error **errp)
{
    g_autofree char *value = NULL;

    if (!visit_type_str(visitor, name, &value, errp)) {
        return;
    }
    if (!record_name) {
        qemu_mutex_init(&lock);
        record_name = g_steal_pointer(&value);
        ds_mutants_record = true;
        atexit(write_records);
    }
}

static void set_word(Object *object, Visitor *visitor, const char *name, void *opaque, Error **errp)
{
    visit_type_uint64(visitor, name, &word_address, errp);
}

/* The one of the ordinary emulator, which this build has under another name. */
void debug_store_add_ordinary_properties(X86CPU *cpu);

void debug_store_add_properties(X86CPU *cpu)
{
    Object *object = OBJECT(cpu);

    debug_store_add_ordinary_properties(cpu);
    cpu->debug_store->slow = true;             /* the mutants are in the long way */
    object_property_del(object, "x-ds-fault"); /* the faults are not woven in */
    object_property_add(object, "x-ds-mutant", "uint32", get_mutant, set_mutant, NULL, NULL);
    object_property_set_description(object, "x-ds-mutant", "number of a mutant; 0: healthy");
    object_property_add(object, "x-ds-mutants-reached", "str", NULL, set_reached, NULL, NULL);
    object_property_set_description(object, "x-ds-mutants-reached",
                                    "file to be told at exit which points were reached");
    object_property_add(object, "x-ds-mutants-word", "uint64", NULL, set_word, NULL, NULL);
    object_property_set_description(object, "x-ds-mutants-word",
                                    "physical address of the word that the points go by");
}
