/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/bystander_check.h"

#include "arch/trace/debugctl.h"
#include "tests/oracle/freeze_flavour.h"
#include "tests/oracle/lbr_check.h"

void bystanders_learn(struct test_context *t)
{
    freeze_learn_beside_tr(t);
    if (!feature_present(FEATURE_LBR) || !feature_present(FEATURE_BTS) ||
        lbr_is_undefined_with_tr())
        return;
    lbr_tr_feeds(t, DEBUGCTL_TR);
    lbr_tr_feeds(t, DEBUGCTL_TR | DEBUGCTL_BTS);
}

static bool is_lbr_frozen(const struct bystanders *beside)
{
    return beside->frozen & PERF_GLOBAL_STATUS_LBR_FRZ;
}

static bool expect_unchanged(struct test_context *t, const struct lbr_result *stack,
                             const char *why)
{
    return EXPECT(t, LBR_EXTRA, lbr_same(&stack->before, &stack->after),
                  "the LBR stack changed although %s", why);
}

/* D 9: whether TR alone feeds the stack was learnt; with what filter is not said. */
static bool expect_stack_of_tr(struct test_context *t, const struct bystanders *beside,
                               const struct bystander_run *run, size_t transfers)
{
    if (beside->select || is_lbr_frozen(beside))
        return true;
    if (lbr_tr_feeds(t, beside->debugctl))
        return lbr_compare(t, run->program->truth, transfers, 0, &run->seen.lbr);
    return expect_unchanged(t, &run->seen.lbr, "LBR is clear, and TR did not feed it before");
}

bool bystanders_expect_stack(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run, size_t transfers)
{
    bool tr = beside->debugctl & DEBUGCTL_TR;

    if (!feature_present(FEATURE_LBR) || (tr && lbr_is_undefined_with_tr()))
        return true;
    if (is_lbr_frozen(beside) && (tr || freeze_of_lbr_is_open()))
        return true;
    if (is_lbr_frozen(beside))
        return expect_unchanged(t, &run->seen.lbr, "LBR_Frz is set");
    if (beside->debugctl & DEBUGCTL_LBR)
        return lbr_compare(t, run->program->truth, transfers, beside->select, &run->seen.lbr);
    if (tr)
        return expect_stack_of_tr(t, beside, run, transfers);
    return expect_unchanged(t, &run->seen.lbr, "LBR and TR are clear");
}

void bystanders_note(struct test_context *t, unsigned row, const struct bystanders *beside)
{
    char names[160];

    test_note(t,
              "beside it, row %u: IA32_DEBUGCTL %s; MSR_LBR_SELECT %#lx; other counters: "
              "sampling %#lx, enabled %#lx, interrupting %#lx, overflowed %#lx; frozen %#lx",
              row, debugctl_format(beside->debugctl, names, sizeof names), beside->select,
              beside->pebs_enable, beside->control, beside->interrupting, beside->overflowed,
              beside->frozen);
}
