/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/errata_symptoms.h"

#define LOW_END 0x0000800000000000ull /* the first address that is not canonical */
#define SIGN    0xffff000000000000ull /* the upper bits, where bit 47 is copied into them */

/* All of these circumstances, whatever else. */
#define UNDER_ALL(finding, under_) (((finding)->under & (under_)) == (under_))

#define SYMPTOM(name, condition)                                                                   \
    bool symptom_##name(const struct finding *finding)                                             \
    {                                                                                              \
        return condition;                                                                          \
    }
#include "kernel/report/errata_symptoms.def"
#undef SYMPTOM
