// SPDX-License-Identifier: GPL-2.0-or-later
/* XSAVES and XRSTORS with the state of architectural LBRs, which is the model's: component 15.
 * States that are initial or unmodified are stored all the same. */
#include "qemu/osdep.h"
#include "xsave_area.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"

#define LEAF_STATES       0x0du
#define LEAF_1_XSAVEC     (1u << 1)
#define LEAF_1_XSAVES     (1u << 3)
#define LEAF_1_SUPERVISOR 1u /* of a state's ECX */

static unsigned size_of(uint64_t state)
{
    return state == STATE_AVX ? 256 : state == STATE_PKRU ? 8 : DS_LBR_IMAGE * sizeof(uint64_t);
}

/* In the order of their bits, none of them aligned: all begin with a multiple of 8 anyhow. */
unsigned xsave_offset_of(uint64_t states, uint64_t state)
{
    unsigned offset = AT_EXTENDED;

    for (uint64_t before = STATE_AVX; before < state; before <<= 1) {
        offset += states & STATES & before ? size_of(before) : 0;
    }
    return offset;
}

static void put_lbr(const struct xsave_area *area, unsigned offset)
{
    uint64_t image[DS_LBR_IMAGE];
    bool stored = ds_lbr_save(&debug_store_of(area->env)->model, image);

    for (unsigned i = 0; stored && i < DS_LBR_IMAGE; i++) {
        xsave_put(area, offset + 8 * i, image[i]);
    }
}

static void get_lbr(const struct xsave_area *area, unsigned offset)
{
    uint64_t image[DS_LBR_IMAGE];

    for (unsigned i = 0; i < DS_LBR_IMAGE; i++) {
        image[i] = xsave_get(area, offset + 8 * i);
    }
    if (!ds_lbr_restore(&debug_store_of(area->env)->model, image)) {
        raise_exception_err_ra(area->env, EXCP0D_GPF, 0, area->return_address);
    }
}

void xsave_save(const struct xsave_area *area)
{
    xsave_put_others(area);
    if (area->states & STATE_LBR) {
        put_lbr(area, xsave_offset_of(area->states, STATE_LBR));
    }
    xsave_put(area, AT_STATE_BV, area->states);
    xsave_put(area, AT_COMP_BV, area->states | COMPACTED);
}

void xsave_restore(struct xsave_area *area, uint64_t wanted, uint64_t enabled)
{
    uint64_t present = xsave_get(area, AT_STATE_BV), loaded = wanted & enabled & present;

    xsave_check_header(area, enabled);
    area->states = xsave_get(area, AT_COMP_BV) & STATES;
    if (loaded & STATE_LBR) {
        get_lbr(area, xsave_offset_of(area->states, STATE_LBR));
    }
    xsave_get_others(area, loaded);
    if (wanted & enabled & ~present & STATE_LBR) {
        ds_lbr_initial(&debug_store_of(area->env)->model);
    }
    xsave_make_others_initial(area->env, wanted & enabled & ~present);
}

static uint64_t enabled_states(CPUX86State *env)
{
    return (env->xcr0 | debug_store_of(env)->model.xss) & STATES;
}

/* It may change whether branches are wanted. */
static void settle(CPUX86State *env)
{
    debug_store_after_event(debug_store_of(env));
}

void helper_debug_store_xsaves(CPUX86State *env, target_ulong base, uint64_t wanted)
{
    struct xsave_area area = {env, base, wanted & enabled_states(env), GETPC()};

    xsave_check(env, base, false, area.return_address);
    debug_store_before_event(debug_store_of(env));
    xsave_save(&area);
    settle(env);
}

void helper_debug_store_xrstors(CPUX86State *env, target_ulong base, uint64_t wanted)
{
    struct xsave_area area = {env, base, 0, GETPC()};

    xsave_check(env, base, false, area.return_address);
    debug_store_before_event(debug_store_of(env));
    xsave_restore(&area, wanted, enabled_states(env));
    settle(env);
}

bool debug_store_has_xsaves(CPUX86State *env)
{
    return ds_has_xsaves(&debug_store_of(env)->model.profile);
}

void debug_store_xsaves_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax,
                              uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    if (leaf != LEAF_STATES || !debug_store_has_xsaves(env)) {
        return;
    }
    if (subleaf == 1) {
        uint64_t enabled = enabled_states(env);

        *eax |= LEAF_1_XSAVEC | LEAF_1_XSAVES;
        *ebx = enabled ? xsave_offset_of(enabled, STATE_LBR) +
                             (enabled & STATE_LBR ? size_of(STATE_LBR) : 0)
                       : 0;
        *ecx = STATE_LBR;
    } else if (subleaf == 15) {
        *eax = size_of(STATE_LBR);
        *ebx = 0;
        *ecx = LEAF_1_SUPERVISOR;
        *edx = 0;
    }
}
