// SPDX-License-Identifier: GPL-2.0-or-later
/* The functions that hooks in the translator call. */
#ifndef DEBUG_STORE_TRANSLATE_H
#define DEBUG_STORE_TRANSLATE_H

#if __has_include("accel/tcg/cpu-ldst.h") /* since QEMU 10.1 */
#include "accel/tcg/cpu-ldst.h"
#else
#include "exec/cpu_ldst.h"
#endif
#include "glue.h"
#include "model/debug_store.h"

struct DisasContext;
struct X86DecodedInsn;

/* To be called right before the instruction's own jump is generated. */
static void debug_store_gen_relative(struct DisasContext *s, struct X86DecodedInsn *decode);
static void debug_store_gen_conditional(struct DisasContext *s, target_long displacement);
static void debug_store_gen_indirect(struct DisasContext *s, struct X86DecodedInsn *decode);
static void debug_store_gen_far_begins(struct DisasContext *s);
static void debug_store_gen_far_ends(struct DisasContext *s);
static void debug_store_gen_is_branch(struct DisasContext *s);

static void debug_store_gen_int1(struct DisasContext *s);
static void debug_store_gen_instruction(struct DisasContext *s);
static void debug_store_limit_block(struct DisasContext *s);

/* Generates RDPMC; false if the processor has no counters. */
static bool debug_store_gen_rdpmc(struct DisasContext *s);

/* For an opcode unknown to QEMU: generates XSAVEC, XSAVES or XRSTORS; false if it is none of
 * them. */
static bool debug_store_gen_xsaves(CPUX86State *env, struct DisasContext *s,
                                   struct X86DecodedInsn *decode);

#endif
