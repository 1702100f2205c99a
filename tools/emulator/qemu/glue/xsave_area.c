// SPDX-License-Identifier: GPL-2.0-or-later
/* The states of XSAVES that are no part of the debug store, XSAVEC, and XRSTOR of what they stored.
 */
#include "qemu/osdep.h"
#include "xsave_area.h"
#if __has_include("accel/tcg/cpu-ldst.h") /* since QEMU 10.1 */
#include "accel/tcg/cpu-ldst.h"
#else
#include "exec/cpu_ldst.h"
#endif
#include "exec/cputlb.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"

/* The legacy region and the header behind it. */
#define AT_FCW      0
#define AT_POINTERS 8 /* FIP and FDP */
#define AT_MXCSR    24
#define AT_ST       32
#define AT_XMM      160

/* A bit field of the x87 status word. */
#define STATUS_SUMMARY (1u << 7)
#define STATUS_BUSY    (1u << 15)

void xsave_put(const struct xsave_area *area, unsigned offset, uint64_t value)
{
    cpu_stq_data_ra(area->env, area->base + offset, value, area->return_address);
}

uint64_t xsave_get(const struct xsave_area *area, unsigned offset)
{
    return cpu_ldq_data_ra(area->env, area->base + offset, area->return_address);
}

static unsigned xmm_count(const CPUX86State *env)
{
    return env->hflags & HF_CS64_MASK ? 16 : 8;
}

static void put_x87(const struct xsave_area *area)
{
    const CPUX86State *env = area->env;
    uint16_t status = (env->fpus & ~0x3800) | (env->fpstt & 7) << 11;
    uint8_t used = 0;

    for (unsigned i = 0; i < 8; i++) {
        used |= !env->fptags[i] << i;
    }
    xsave_put(area, AT_FCW, env->fpuc | (uint64_t)status << 16 | (uint64_t)used << 32);
    xsave_put(area, AT_POINTERS, 0);
    xsave_put(area, AT_POINTERS + 8, 0);
    for (unsigned i = 0; i < 8; i++) {
        floatx80 value = env->fpregs[(env->fpstt + i) & 7].d;
        xsave_put(area, AT_ST + 16 * i, value.low);
        xsave_put(area, AT_ST + 16 * i + 8, value.high);
    }
}

static void get_x87(const struct xsave_area *area)
{
    CPUX86State *env = area->env;
    uint64_t words = xsave_get(area, AT_FCW);

    cpu_set_fpuc(env, words);
    env->fpstt = words >> (16 + 11) & 7;
    env->fpus =
        (words >> 16 & ~0x3800 & ~STATUS_BUSY) | (words >> 16 & STATUS_SUMMARY ? STATUS_BUSY : 0);
    for (unsigned i = 0; i < 8; i++) {
        unsigned place = (env->fpstt + i) & 7;
        env->fptags[i] = !(words >> (32 + i) & 1);
        env->fpregs[place].d.low = xsave_get(area, AT_ST + 16 * i);
        env->fpregs[place].d.high = xsave_get(area, AT_ST + 16 * i + 8);
    }
}

static void put_mxcsr(const struct xsave_area *area)
{
    update_mxcsr_from_sse_status(area->env);
    xsave_put(area, AT_MXCSR, area->env->mxcsr | 0xffffull << 32);
}

/* Part of a vector register, eight bytes at a time. */
static uint64_t *vector_word(CPUX86State *env, unsigned i, unsigned word)
{
    return &env->xmm_regs[i].ZMM_Q(word);
}

/* Halves of the vector registers, 0 the lower one; from here on in the area. */
static void put_vectors(const struct xsave_area *area, unsigned offset, unsigned half)
{
    for (unsigned i = 0; i < xmm_count(area->env); i++) {
        xsave_put(area, offset + 16 * i, *vector_word(area->env, i, 2 * half));
        xsave_put(area, offset + 16 * i + 8, *vector_word(area->env, i, 2 * half + 1));
    }
}

/* area: NULL for the initial state. */
static void get_vectors(CPUX86State *env, const struct xsave_area *area, unsigned offset,
                        unsigned half)
{
    for (unsigned i = 0; i < xmm_count(env); i++) {
        *vector_word(env, i, 2 * half) = area ? xsave_get(area, offset + 16 * i) : 0;
        *vector_word(env, i, 2 * half + 1) = area ? xsave_get(area, offset + 16 * i + 8) : 0;
    }
}

static void set_pkru(CPUX86State *env, uint32_t value)
{
    if (env->pkru != value) {
        env->pkru = value;
        tlb_flush(env_cpu(env));
    }
}

void xsave_put_others(const struct xsave_area *area)
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
        put_vectors(area, xsave_offset_of(states, STATE_AVX), 1);
    }
    if (states & STATE_PKRU) {
        xsave_put(area, xsave_offset_of(states, STATE_PKRU), area->env->pkru);
    }
}

void xsave_get_others(const struct xsave_area *area, uint64_t states)
{
    CPUX86State *env = area->env;

    if (states & STATE_X87) {
        get_x87(area);
    }
    if (states & (STATE_SSE | STATE_AVX)) {
        cpu_set_mxcsr(env, xsave_get(area, AT_MXCSR));
    }
    if (states & STATE_SSE) {
        get_vectors(env, area, AT_XMM, 0);
    }
    if (states & STATE_AVX) {
        get_vectors(env, area, xsave_offset_of(area->states, STATE_AVX), 1);
    }
    if (states & STATE_PKRU) {
        set_pkru(env, xsave_get(area, xsave_offset_of(area->states, STATE_PKRU)));
    }
}

void xsave_make_others_initial(CPUX86State *env, uint64_t states)
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
}

/* What every one of them refuses; XSAVEC is anybody's. */
void xsave_check(CPUX86State *env, target_ulong base, bool anybodys, uintptr_t return_address)
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

void xsave_check_header(const struct xsave_area *area, uint64_t enabled)
{
    uint64_t present = xsave_get(area, AT_STATE_BV), room = xsave_get(area, AT_COMP_BV),
             reserved = 0;

    for (unsigned offset = AT_RESERVED; offset < AT_EXTENDED; offset += 8) {
        reserved |= xsave_get(area, offset);
    }
    if (!(room & COMPACTED) || room & ~COMPACTED & ~enabled || present & ~room || reserved) {
        raise_exception_err_ra(area->env, EXCP0D_GPF, 0, area->return_address);
    }
}

void helper_debug_store_xsavec(CPUX86State *env, target_ulong base, uint64_t wanted)
{
    struct xsave_area area = {env, base, wanted & env->xcr0 & STATES, GETPC()};

    xsave_check(env, base, true, area.return_address);
    xsave_save(&area);
}

bool debug_store_xrstor(CPUX86State *env, target_ulong base, uint64_t wanted,
                        uintptr_t return_address)
{
    struct xsave_area area = {env, base, 0, return_address};

    if (!debug_store_has_xsaves(env) || !(xsave_get(&area, AT_COMP_BV) & COMPACTED)) {
        return false;
    }
    xsave_restore(&area, wanted, env->xcr0 & STATES);
    return true;
}
