/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symptoms of errata: each says of a finding's numbers and circumstances whether it is one. */
#ifndef KERNEL_REPORT_ERRATA_SYMPTOMS_H
#define KERNEL_REPORT_ERRATA_SYMPTOMS_H

#include <stdbool.h>

#include "kernel/report/findings.h"

/* Whether the numbers of a finding are those of the erratum; the kinds have been looked at. */
typedef bool erratum_symptom(const struct finding *finding);

#define SYMPTOM(name, condition) erratum_symptom symptom_##name;
#include "kernel/report/errata_symptoms.def"
#undef SYMPTOM

#endif
