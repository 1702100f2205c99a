/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/geometry_check.h"

#include "arch/trace/debugctl.h"
#include "tests/oracle/buffer_model.h"
#include "tests/oracle/compare.h"
#include "tests/oracle/limit.h"
#include "tests/run/run.h"

#define ROOM (GEOMETRY_BYTES / BTS_RECORD_SIZE + 1) /* records; the fields say less */

#define LEARN_RECORDS   4
#define LEARN_TRANSFERS 10 /* a multiple of no capacity that the buffer can have */

bool geometry_learn(struct test_context *t)
{
    size_t capacity = limit_capacity(t, LEARN_RECORDS, false);
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
        .layout = {.records = LEARN_RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .hold_off_interrupts = true,
    };
    struct observation got;

    if (choice_of(CHOICE_LIMIT) == VALUE_UNKNOWN)
        return false;
    if (choice_of(CHOICE_FULL) != VALUE_UNKNOWN)
        return true;
    return run_program(t, program_of_length(LEARN_TRANSFERS), &run, &got) &&
           choice_learn(t, CHOICE_FULL, got.index == capacity ? VALUE_DROPS : VALUE_WRAPS);
}

static struct buffer_model model_of(const struct geometry *geometry)
{
    return (struct buffer_model){
        .index = geometry->index,
        .maximum = geometry->absolute_maximum,
        .threshold = geometry->threshold,
        .circular = !geometry->interrupts,
        .limit = choice_of(CHOICE_LIMIT),
        .full = choice_of(CHOICE_FULL),
    };
}

bool geometry_has_room(const struct geometry *geometry)
{
    const struct buffer_model model = model_of(geometry);

    return buffer_model_fits(&model);
}

/* The subtest names one claim; what else is broken depends on what is wrong. */
static void expect_kept(struct test_context *t, bool kept, const char *claim)
{
    if (!kept)
        test_breaks(t, claim);
}

/* Where no further record fits, the index is there, or back at the base already (F3.25a). */
static void check_index(struct test_context *t, const struct buffer_model *model)
{
    uint64_t index = bts_index_bytes(), expected = model->index;

    if (!buffer_model_fits(model)) {
        bool either = index == 0 || index == model->index;

        if (!model->circular && model->full == VALUE_WRAPS && either)
            return;
        if (model->circular && choice_of(CHOICE_WRAP) == VALUE_UNKNOWN && either)
            choice_learn(t, CHOICE_WRAP, index == 0 ? VALUE_EAGER : VALUE_LAZY);
        if (model->circular && choice_of(CHOICE_WRAP) == VALUE_EAGER)
            expected = 0;
    }
    expect_kept(t, EXPECT_EQUAL(t, INDEX, "BTS index, in bytes from the base", index, expected),
                model->circular ? "BTS-3" : "BTS-2");
}

static void check_records(struct test_context *t, const struct buffer_model *model,
                          const struct program *program, const struct run *run)
{
    static struct bts_record got[BUFFER_MODEL_RECORDS];
    const struct expected *expected = expected_of(t, program, run->debugctl, NULL);
    bool held;
    size_t first = buffer_model_first_intact(model), count = model->stored - first;

    if (!expected)
        return;
    for (size_t i = first; i < model->stored; i++)
        got[i % count] =
            *(const struct bts_record *)((const uint8_t *)bts_records() + model->at[i]);
    held = model->stored < program->count ? compare_prefix(t, expected, got, count)
                                          : compare_circular(t, expected, got, count);
    expect_kept(t, held, "BTS-1");
    expect_kept(t, held, "BTS-2");
}

static void check_memory(struct test_context *t, const struct buffer_model *model)
{
    size_t end = model->maximum / BTS_RECORD_SIZE + 2;

    for (size_t byte = 0; byte < end * BTS_RECORD_SIZE; byte++)
        if (!buffer_model_covers(model, byte) && !bts_bytes_are_poison(byte, byte + 1)) {
            FIND(t, STRAY_WRITE, "byte %zu from the base was written, where no record goes", byte);
            test_breaks(t, "BTS-8");
            return;
        }
    expect_kept(t, expect_no_stray_write(t, end), "BTS-8");
}

static void check_interrupt(struct test_context *t, const struct buffer_model *model,
                            const struct observation *got)
{
    enum interrupt_due due = buffer_model_interrupt(model);

    if (due == INTERRUPT_OPEN)
        EXPECT_BETWEEN(t, PMI_MISSING, PMI_EXTRA, got->interrupts, 0, 1,
                       "%zu interrupts, though the LVT entry is masked by the first",
                       got->interrupts);
    else
        expect_kept(t, EXPECT_COUNT(t, PMI, "interrupts", got->interrupts, due == INTERRUPT_DUE),
                    model->threshold > model->maximum ? "BTS-4" : "T17-6.7");
}

static void note(struct test_context *t, const struct geometry *geometry,
                 const struct program *program)
{
    test_note(t,
              "%s, %zu transfers, BTINT %u; base: page + %zu; from there, in bytes: index %zu, "
              "absolute maximum %zu, threshold %zu",
              program->workload->name, program->count, geometry->interrupts, geometry->base_offset,
              geometry->index, geometry->absolute_maximum, geometry->threshold);
}

void geometry_check(struct test_context *t, const struct geometry *geometry)
{
    const struct program *program = geometry->workload
                                        ? program_of_workload(geometry->workload)
                                        : program_of_sled(geometry->place, geometry->transfers);
    const struct bts_fields fields = {geometry->index, geometry->absolute_maximum,
                                      geometry->threshold};
    struct buffer_model model = model_of(geometry);
    struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | (geometry->interrupts ? DEBUGCTL_BTINT : 0),
        .layout = {.records = ROOM,
                   .threshold = BTS_NO_THRESHOLD,
                   .base_offset = geometry->base_offset},
        .fields = &fields,
        .policy = PMI_COUNT,
        .hold_off_interrupts = true,
    };
    struct observation got;

    note(t, geometry, program);
    for (size_t i = 0; i < program->count; i++)
        buffer_model_store(&model);
    run.interrupts_wanted = !geometry->impatient && buffer_model_interrupt(&model) == INTERRUPT_DUE;
    if (!run_program(t, program, &run, &got))
        return;
    check_records(t, &model, program, &run);
    check_index(t, &model);
    check_memory(t, &model);
    check_interrupt(t, &model, &got);
}
