/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/buffer_model.h"

#include "arch/trace/ds.h"

/* The three readings of the absolute maximum (F3.22). */
bool buffer_model_fits(const struct buffer_model *model)
{
    switch (model->limit) {
    case VALUE_INDEX_BELOW:
        return model->index < model->maximum;
    case VALUE_FITS_STRICTLY:
        return model->index + BTS_RECORD_SIZE < model->maximum;
    default:
        return model->index + BTS_RECORD_SIZE <= model->maximum;
    }
}

/* With BTINT clear the record after the last goes to the base (F5.6), with BTINT set it is dropped
 * or goes there too (F5.5). */
static bool wraps(const struct buffer_model *model)
{
    return model->circular || model->full == VALUE_WRAPS;
}

void buffer_model_store(struct buffer_model *model)
{
    if (!buffer_model_fits(model)) {
        if (!wraps(model))
            return;
        model->index = 0;
    }
    model->at[model->stored++] = model->index;
    model->index += BTS_RECORD_SIZE;
    if (model->index < model->threshold)
        return;
    if (buffer_model_fits(model))
        model->reached = true;
    else
        model->reached_at_end = true;
}

static bool overlap(size_t one, size_t other)
{
    return one < other + BTS_RECORD_SIZE && other < one + BTS_RECORD_SIZE;
}

size_t buffer_model_first_intact(const struct buffer_model *model)
{
    for (size_t first = model->stored; first > 0; first--)
        for (size_t later = first; later < model->stored; later++)
            if (overlap(model->at[first - 1], model->at[later]))
                return first;
    return 0;
}

bool buffer_model_covers(const struct buffer_model *model, size_t byte)
{
    for (size_t i = 0; i < model->stored; i++)
        if (byte >= model->at[i] && byte < model->at[i] + BTS_RECORD_SIZE)
            return true;
    return false;
}

/* With BTINT clear the threshold is promised to be quiet above the maximum only (F3.25). Where the
 * index may go back to the base at once, nobody sees it at the end (F3.25a, F5.5). */
enum interrupt_due buffer_model_interrupt(const struct buffer_model *model)
{
    bool above = model->threshold > model->maximum;
    bool ends_below = !buffer_model_fits(model) || model->reached_at_end;

    if (above)
        return model->reached || model->reached_at_end ? INTERRUPT_OPEN : INTERRUPT_NOT_DUE;
    if (model->circular)
        return INTERRUPT_OPEN;
    if (model->reached || (model->reached_at_end && !wraps(model)))
        return INTERRUPT_DUE;
    return ends_below ? INTERRUPT_OPEN : INTERRUPT_NOT_DUE;
}
