// SPDX-License-Identifier: GPL-2.0-or-later
/* What the hooks in the translator call. */
#ifndef DEBUG_STORE_TRANSLATE_H
#define DEBUG_STORE_TRANSLATE_H

#include "glue.h"
#include "model/debug_store.h"

struct DisasContext;

/* Right before the instruction's own jump is generated. */
static void debug_store_gen_relative(struct DisasContext *s, MemOp size, int displacement,
                                     enum ds_branch_kind kind);
static void debug_store_gen_indirect(struct DisasContext *s, enum ds_branch_kind kind);
static void debug_store_gen_far_begins(struct DisasContext *s);
static void debug_store_gen_far_ends(struct DisasContext *s);
static void debug_store_gen_is_branch(struct DisasContext *s);
static void debug_store_gen_instruction(struct DisasContext *s);
static void debug_store_limit_block(struct DisasContext *s);
static bool debug_store_gen_rdpmc(struct DisasContext *s, CPUX86State *env);

/* INT1: the translator keeps a place for it, switched off, and has lost the function. */
#define WANT_ICEBP
static void gen_debug(struct DisasContext *s);

#endif
