/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lab is whoever started this machine and follows its log. The option lab= lists the services
 * that the log may ask of it.
 */
#ifndef KERNEL_CONSOLE_LAB_H
#define KERNEL_CONSOLE_LAB_H

#include <stdbool.h>

/* One bit for each service. */
enum lab_services {
    LAB_MACHINE_CHECK = 1u << 0,       /* machine-check: injects a machine check into processor 0 */
    LAB_MACHINE_CHECK_OTHER = 1u << 1, /* machine-check-other: the same into processor 1 */
};

#define LAB_SERVICE_COUNT 2u

/* Word i belongs to bit i; NULL at the end. */
extern const char *const lab_words[LAB_SERVICE_COUNT + 1];

/* Sets the option's services, at the start of a run. */
void lab_set(unsigned services);

bool lab_can(enum lab_services service);

/* The service's word. */
const char *lab_word(enum lab_services service);

#endif
