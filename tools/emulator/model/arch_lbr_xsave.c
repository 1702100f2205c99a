// SPDX-License-Identifier: GPL-2.0-or-later
/* XSAVES and XRSTORS of component 15: where each register lies in its image (F20.36). */
#include "arch_lbr.h"

enum {
    IMAGE_CTL,
    IMAGE_DEPTH,
    IMAGE_LER_FROM,
    IMAGE_LER_TO,
    IMAGE_LER_INFO,
    IMAGE_ENTRIES, /* FROM, TO and INFO of each */
};

#define DEPTH_RESERVED (~0ull << 7) /* leaf 1CH can enumerate at most 64 entries (F20.2) */

_Static_assert(IMAGE_ENTRIES + 3 * DS_LBR_DEPTH_MAX == DS_LBR_IMAGE, "the component is 808 bytes");

bool ds_has_xsaves(const struct ds_profile *profile)
{
    return profile->present && profile->xsaves_lbr && arch_lbr_exists(profile);
}

static void save_entries(const struct ds_cpu *cpu, uint64_t image[DS_LBR_IMAGE])
{
    for (unsigned i = 0; i < DS_LBR_DEPTH_MAX; i++) {
        struct lbr_entry entry = lbr_entry(cpu, i); /* zero from the depth on */
        uint64_t *place = image + IMAGE_ENTRIES + 3 * i;

        place[0] = entry.from;
        place[1] = entry.to;
        place[2] = entry.info;
    }
}

/* Whether LBREn stays set is open (F20.37). */
bool ds_lbr_save(struct ds_cpu *cpu, uint64_t image[DS_LBR_IMAGE])
{
    image[IMAGE_CTL] = cpu->lbr_control;
    image[IMAGE_DEPTH] = cpu->lbr_depth;
    image[IMAGE_LER_FROM] = cpu->ler_from;
    image[IMAGE_LER_TO] = cpu->ler_to;
    image[IMAGE_LER_INFO] = cpu->ler_info;
    save_entries(cpu, image);
    if (cpu->variation.xsaves_stops_lbr) {
        cpu->lbr_control &= ~LBR_CTL_LBREN;
    }
    return true;
}

static void restore_entries(struct ds_cpu *cpu, const uint64_t image[DS_LBR_IMAGE])
{
    for (unsigned i = 0; i < cpu->lbr_depth; i++) {
        const uint64_t *place = image + IMAGE_ENTRIES + 3 * i;

        cpu->lbr_from[i] = place[0];
        cpu->lbr_to[i] = place[1];
        cpu->lbr_info[i] = place[2];
    }
}

/* Where its depth is another one the entries are cleared, and the depth stays (F20.19); a variation
 * loads both. */
static void restore_stack(struct ds_cpu *cpu, const uint64_t image[DS_LBR_IMAGE])
{
    uint64_t depth = image[IMAGE_DEPTH];
    bool loads = cpu->variation.xrstors_loads_depth && arch_lbr_has_depth(&cpu->profile, depth);

    if (loads && depth != cpu->lbr_depth) {
        arch_lbr_clear(cpu);
        cpu->lbr_depth = depth;
    }
    if (depth == cpu->lbr_depth) {
        restore_entries(cpu, image);
    } else {
        arch_lbr_clear(cpu);
    }
}

bool ds_lbr_restore(struct ds_cpu *cpu, const uint64_t image[DS_LBR_IMAGE])
{
    if (image[IMAGE_DEPTH] & DEPTH_RESERVED) {
        return false;
    }
    if (!arch_lbr_write_control(cpu, image[IMAGE_CTL])) {
        return false;
    }
    cpu->ler_from = image[IMAGE_LER_FROM];
    cpu->ler_to = image[IMAGE_LER_TO];
    cpu->ler_info = image[IMAGE_LER_INFO];
    restore_stack(cpu, image);
    return true;
}

/* All but the depth (F20.19). */
void ds_lbr_initial(struct ds_cpu *cpu)
{
    cpu->lbr_control = 0;
    cpu->ler_from = cpu->ler_to = cpu->ler_info = 0;
    arch_lbr_clear(cpu);
}
