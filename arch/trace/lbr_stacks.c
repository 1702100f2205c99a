/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr_stacks.h"

#include <stddef.h>

#define FAMILY_P6       0x06u
#define FAMILY_NETBURST 0x0fu
#define TOS             0x1c9
#define TOS_NETBURST    0x1da
#define LER             .ler_from = 0x1dd, .ler_to = 0x1de
#define LER_REVERSED    .ler_from = 0x1de, .ler_to = 0x1dd /* as printed for Pentium M: D 11 */
#define LER_NETBURST    .ler_from = 0x1d7, .ler_to = 0x1d8
#define AT_40H          .from = LBR_STACK_LOW_FROM, .to = LBR_STACK_LOW_TO, .top_of_stack = TOS, LER
#define AT_680H         .from = LBR_STACK_HIGH_FROM, .to = LBR_STACK_HIGH_TO, .top_of_stack = TOS, LER
#define END             0xff /* of a list of models */
#define MODELS_MAX      20

struct family_row {
    uint8_t family;
    uint8_t models[MODELS_MAX]; /* END at the end */
    struct lbr_stack stack;
};

/* F8.1 in its order. The first row that names family and model holds. */
static const struct family_row rows[] = {
    /* Core 2 */
    {FAMILY_P6, {0x0f, 0x17, 0x1d, END}, {.depth = 4, AT_40H}},
    /* Atom of 45 and 32 nm */
    {FAMILY_P6, {0x1c, 0x26, 0x27, 0x35, 0x36, END}, {.depth = 8, AT_40H}},
    /* Silvermont, Airmont */
    {FAMILY_P6,
     {0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, END},
     {.depth = 8, .has_select = true, .flag_is_open = true, AT_40H}},
    /* Nehalem, Westmere */
    {FAMILY_P6,
     {0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f, END},
     {.depth = 16, .has_select = true, .no_call_stack = true, AT_680H}},
    /* Sandy Bridge, Ivy Bridge */
    {FAMILY_P6,
     {0x2a, 0x2d, 0x3a, 0x3e, END},
     {.depth = 16, .has_select = true, .no_call_stack = true, AT_680H}},
    /* Haswell, Broadwell */
    {FAMILY_P6,
     {0x3c, 0x45, 0x46, 0x3f, 0x3d, 0x47, 0x4f, 0x56, END},
     {.depth = 16, .has_select = true, AT_680H}},
    /* Skylake and its successors up to Rocket Lake and Tiger Lake; Goldmont Plus, Tremont */
    {FAMILY_P6,
     {0x4e, 0x5e, 0x8e, 0x9e, 0x55, 0x66, 0x6a, 0x6c, 0x7d, 0x7e,
      0x8c, 0x8d, 0xa5, 0xa6, 0xa7, 0x7a, 0x86, 0x96, 0x9c, END},
     {.depth = 32, .has_select = true, .info = LBR_STACK_INFO, AT_680H}},
    /* Goldmont */
    {FAMILY_P6, {0x5c, 0x5f, END}, {.depth = 32, .has_select = true, AT_680H}},
    /* Knights Landing, Knights Mill: the format says linear, the flag is there all the same */
    {FAMILY_P6,
     {0x57, 0x85, END},
     {.depth = 8, .has_select = true, .misprediction = true, AT_680H}},
    /* Core Duo */
    {FAMILY_P6,
     {0x0e, END},
     {.depth = 8, .packed = true, .from = LBR_STACK_LOW_FROM, .top_of_stack = TOS, LER}},
    /* Pentium M */
    {FAMILY_P6,
     {0x09, 0x0d, END},
     {.depth = 8, .packed = true, .from = LBR_STACK_LOW_FROM, .top_of_stack = TOS, LER_REVERSED}},
    /* Pentium 4 */
    {FAMILY_NETBURST,
     {0x00, 0x01, 0x02, END},
     {.depth = 4, .packed = true, .from = 0x1db, .top_of_stack = TOS_NETBURST, LER_NETBURST}},
    {FAMILY_NETBURST,
     {0x03, 0x04, 0x06, END},
     {.depth = 16,
      .from = LBR_STACK_HIGH_FROM,
      .to = LBR_STACK_HIGH_TO,
      .top_of_stack = TOS_NETBURST,
      LER_NETBURST}},
};

static bool names(const struct family_row *row, uint32_t family, uint32_t model)
{
    if (row->family != family)
        return false;
    for (unsigned i = 0; row->models[i] != END; i++)
        if (row->models[i] == model)
            return true;
    return false;
}

const struct lbr_stack *lbr_stack_of(uint32_t family, uint32_t model)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (names(&rows[i], family, model))
            return &rows[i].stack;
    return NULL;
}
