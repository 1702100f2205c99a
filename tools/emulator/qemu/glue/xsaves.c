// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * XSAVEC, XSAVES and XRSTORS, and XRSTOR of what they stored: the compacted format, with QEMU's
 * states and that of architectural LBRs, which is the model's. States that are initial or
 * unmodified are stored all the same.
 */
#include "qemu/osdep.h"
#include "state.h"
#if __has_include("accel/tcg/cpu-ldst.h") /* since QEMU 10.1 */
#include "accel/tcg/cpu-ldst.h"
#else
#include "exec/cpu_ldst.h"
#endif
#include "exec/cputlb.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"

#define STATE_X87  (1ull << 0)
#define STATE_SSE  (1ull << 1)
#define STATE_AVX  (1ull << 2)
#define STATE_PKRU (1ull << 9)
#define STATE_LBR  (1ull << 15)
#define STATES     (STATE_X87 | STATE_SSE | STATE_AVX | STATE_PKRU | STATE_LBR)
#define COMPACTED  (1ull << 63)

/* The legacy region and the header behind it. */
#define AT_FCW        0
#define AT_FSW        2
#define AT_FTW        4
#define AT_POINTERS   8 /* FIP and FDP */
#define AT_MXCSR      24
#define AT_MXCSR_MASK 28
#define AT_ST         32
#define AT_XMM        160
#define AT_STATE_BV   512
#define AT_COMP_BV    520
#define AT_RESERVED   528
#define AT_EXTENDED   576

#define LEAF_STATES       0x0du
#define LEAF_1_XSAVEC     (1u << 1)
#define LEAF_1_XSAVES     (1u << 3)
#define LEAF_1_SUPERVISOR 1u /* of a state's ECX */

/* A bit field of the x87 status word. */
#define STATUS_SUMMARY (1u << 7)
#define STATUS_BUSY    (1u << 15)

/* The area in memory. */
struct area {
    CPUX86State *env;
    target_ulong base;
    uint64_t states; /* that the area has room for: XCOMP_BV */
    uintptr_t return_address;
};

static unsigned size_of(uint64_t state)
{
    return state == STATE_AVX ? 256 : state == STATE_PKRU ? 8 : DS_LBR_IMAGE * sizeof(uint64_t);
}

/* In the order of their bits, none of them aligned: all begin with a multiple of 8 anyhow. */
static unsigned offset_of(uint64_t states, uint64_t state)
{
    unsigned offset = AT_EXTENDED;

    for (uint64_t before = STATE_AVX; before < state; before <<= 1) {
        offset += states & STATES & before ? size_of(before) : 0;
    }
    return offset;
}

static void put(const struct area *area, unsigned offset, uint64_t value)
{
    cpu_stq_data_ra(area->env, area->base + offset, value, area->return_address);
}

static uint64_t get(const struct area *area, unsigned offset)
{
    return cpu_ldq_data_ra(area->env, area->base + offset, area->return_address);
}

static unsigned xmm_count(const CPUX86State *env)
{
    return env->hflags & HF_CS64_MASK ? 16 : 8;
}

static void put_x87(const struct area *area)
{
    const CPUX86State *env = area->env;
    uint16_t status = (env->fpus & ~0x3800) | (env->fpstt & 7) << 11;
    uint8_t used = 0;

    for (unsigned i = 0; i < 8; i++) {
        used |= !env->fptags[i] << i;
    }
    put(area, AT_FCW, env->fpuc | (uint64_t)status << 16 | (uint64_t)used << 32);
    put(area, AT_POINTERS, 0);
    put(area, AT_POINTERS + 8, 0);
    for (unsigned i = 0; i < 8; i++) {
        floatx80 value = env->fpregs[(env->fpstt + i) & 7].d;
        put(area, AT_ST + 16 * i, value.low);
        put(area, AT_ST + 16 * i + 8, value.high);
    }
}

static void get_x87(const struct area *area)
{
    CPUX86State *env = area->env;
    uint64_t words = get(area, AT_FCW);

    cpu_set_fpuc(env, words);
    env->fpstt = words >> (16 + 11) & 7;
    env->fpus =
        (words >> 16 & ~0x3800 & ~STATUS_BUSY) | (words >> 16 & STATUS_SUMMARY ? STATUS_BUSY : 0);
    for (unsigned i = 0; i < 8; i++) {
        unsigned place = (env->fpstt + i) & 7;
        env->fptags[i] = !(words >> (32 + i) & 1);
        env->fpregs[place].d.low = get(area, AT_ST + 16 * i);
        env->fpregs[place].d.high = get(area, AT_ST + 16 * i + 8);
    }
}

static void put_mxcsr(const struct area *area)
{
    update_mxcsr_from_sse_status(area->env);
    put(area, AT_MXCSR, area->env->mxcsr | 0xffffull << 32);
}

/* Part of a vector register, eight bytes at a time. */
static uint64_t *vector_word(CPUX86State *env, unsigned i, unsigned word)
{
    return &env->xmm_regs[i].ZMM_Q(word);
}

/* Halves of the vector registers, 0 the lower one; from here on in the area. */
static void put_vectors(const struct area *area, unsigned offset, unsigned half)
{
    for (unsigned i = 0; i < xmm_count(area->env); i++) {
        put(area, offset + 16 * i, *vector_word(area->env, i, 2 * half));
        put(area, offset + 16 * i + 8, *vector_word(area->env, i, 2 * half + 1));
    }
}

/* area: NULL for the initial state. */
static void get_vectors(CPUX86State *env, const struct area *area, unsigned offset, unsigned half)
{
    for (unsigned i = 0; i < xmm_count(env); i++) {
        *vector_word(env, i, 2 * half) = area ? get(area, offset + 16 * i) : 0;
        *vector_word(env, i, 2 * half + 1) = area ? get(area, offset + 16 * i + 8) : 0;
    }
}

static void put_lbr(const struct area *area, unsigned offset)
{
    uint64_t image[DS_LBR_IMAGE];
    bool stored = ds_lbr_save(&debug_store_of(area->env)->model, image);

    for (unsigned i = 0; stored && i < DS_LBR_IMAGE; i++) {
        put(area, offset + 8 * i, image[i]);
    }
}

static void get_lbr(const struct area *area, unsigned offset)
{
    uint64_t image[DS_LBR_IMAGE];

    for (unsigned i = 0; i < DS_LBR_IMAGE; i++) {
        image[i] = get(area, offset + 8 * i);
    }
    if (!ds_lbr_restore(&debug_store_of(area->env)->model, image)) {
        raise_exception_err_ra(area->env, EXCP0D_GPF, 0, area->return_address);
    }
}

static void set_pkru(CPUX86State *env, uint32_t value)
{
    if (env->pkru != value) {
        env->pkru = value;
        tlb_flush(env_cpu(env));
    }
}

static void save(const struct area *area)
{
    uint64_t states = area->states;

    if (states & STATE_X87) {
        put_x87(area);
    }
    if (states & (STATE_SSE | STATE_AVX)) {
        put_mxcsr(area);
    }
    if (states & STATE_SSE) {
        put_vectors(area, AT_XMM, 0);
    }
    if (states & STATE_AVX) {
        put_vectors(area, offset_of(states, STATE_AVX), 1);
    }
    if (states & STATE_PKRU) {
        put(area, offset_of(states, STATE_PKRU), area->env->pkru);
    }
    if (states & STATE_LBR) {
        put_lbr(area, offset_of(states, STATE_LBR));
    }
    put(area, AT_STATE_BV, states);
    put(area, AT_COMP_BV, states | COMPACTED);
}

/* States that are in the area. */
static void load(const struct area *area, uint64_t states)
{
    CPUX86State *env = area->env;

    if (states & STATE_LBR) {
        get_lbr(area, offset_of(area->states, STATE_LBR));
    }
    if (states & STATE_X87) {
        get_x87(area);
    }
    if (states & (STATE_SSE | STATE_AVX)) {
        cpu_set_mxcsr(env, get(area, AT_MXCSR));
    }
    if (states & STATE_SSE) {
        get_vectors(env, area, AT_XMM, 0);
    }
    if (states & STATE_AVX) {
        get_vectors(env, area, offset_of(area->states, STATE_AVX), 1);
    }
    if (states & STATE_PKRU) {
        set_pkru(env, get(area, offset_of(area->states, STATE_PKRU)));
    }
}

/* States that are not in the area. */
static void make_initial(CPUX86State *env, uint64_t states)
{
    if (states & STATE_X87) {
        helper_fninit(env);
        memset(env->fpregs, 0, sizeof(env->fpregs));
    }
    if (states & STATE_SSE) {
        cpu_set_mxcsr(env, 0x1f80);
        get_vectors(env, NULL, 0, 0);
    }
    if (states & STATE_AVX) {
        get_vectors(env, NULL, 0, 1);
    }
    if (states & STATE_PKRU) {
        set_pkru(env, 0);
    }
    if (states & STATE_LBR) {
        ds_lbr_initial(&debug_store_of(env)->model);
    }
}

/* What every one of them refuses; XSAVEC is anybody's. */
static void check(CPUX86State *env, target_ulong base, bool anybodys, uintptr_t return_address)
{
    if (!(env->cr[4] & CR4_OSXSAVE_MASK)) {
        raise_exception_ra(env, EXCP06_ILLOP, return_address);
    }
    if (env->cr[0] & CR0_TS_MASK) {
        raise_exception_ra(env, EXCP07_PREX, return_address);
    }
    if (base & 63 || (!anybodys && env->hflags & HF_CPL_MASK)) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, return_address);
    }
}

static bool header_is_valid(const struct area *area, uint64_t enabled)
{
    uint64_t present = get(area, AT_STATE_BV), room = get(area, AT_COMP_BV), reserved = 0;

    for (unsigned offset = AT_RESERVED; offset < AT_EXTENDED; offset += 8) {
        reserved |= get(area, offset);
    }
    return room & COMPACTED && !(room & ~COMPACTED & ~enabled) && !(present & ~room) && !reserved;
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

void helper_debug_store_xsavec(CPUX86State *env, target_ulong base, uint64_t wanted)
{
    struct area area = {env, base, wanted & env->xcr0 & STATES, GETPC()};

    check(env, base, true, area.return_address);
    save(&area);
}

void helper_debug_store_xsaves(CPUX86State *env, target_ulong base, uint64_t wanted)
{
    struct area area = {env, base, wanted & enabled_states(env), GETPC()};

    check(env, base, false, area.return_address);
    debug_store_before_event(debug_store_of(env));
    save(&area);
    settle(env);
}

/* Loads from an area with room for enabled states. */
static void restore(struct area *area, uint64_t wanted, uint64_t enabled)
{
    CPUX86State *env = area->env;

    if (!header_is_valid(area, enabled)) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, area->return_address);
    }
    uint64_t present = get(area, AT_STATE_BV);

    area->states = get(area, AT_COMP_BV) & STATES;
    load(area, wanted & enabled & present);
    make_initial(env, wanted & enabled & ~present);
}

void helper_debug_store_xrstors(CPUX86State *env, target_ulong base, uint64_t wanted)
{
    struct area area = {env, base, 0, GETPC()};

    check(env, base, false, area.return_address);
    debug_store_before_event(debug_store_of(env));
    restore(&area, wanted, enabled_states(env));
    settle(env);
}

bool debug_store_xrstor(CPUX86State *env, target_ulong base, uint64_t wanted,
                        uintptr_t return_address)
{
    struct area area = {env, base, 0, return_address};

    if (!debug_store_has_xsaves(env) || !(get(&area, AT_COMP_BV) & COMPACTED)) {
        return false;
    }
    restore(&area, wanted, env->xcr0 & STATES);
    return true;
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
        *ebx = enabled
                   ? offset_of(enabled, STATE_LBR) + (enabled & STATE_LBR ? size_of(STATE_LBR) : 0)
                   : 0;
        *ecx = STATE_LBR;
    } else if (subleaf == 15) {
        *eax = size_of(STATE_LBR);
        *ebx = 0;
        *ecx = LEAF_1_SUPERVISOR;
        *edx = 0;
    }
}
