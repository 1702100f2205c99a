/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processors are of the crew (kernel/run/crew.h), beside the one that booted. */
#ifndef KERNEL_RUN_CREW_CHOOSE_H
#define KERNEL_RUN_CREW_CHOOSE_H

#include "kernel/settings.h"

/* The APIC id of the processor with this number, from 1 on; UINT32_MAX past the last. */
uint32_t crew_id(unsigned number);

/* Whether cpu= wants the tests to be run there, as well. */
bool crew_wants(const struct options *options, unsigned number);

/* Whether anybody is, as far as can be said of processors that nobody has started. */
bool crew_wants_anybody(const struct options *options);

/* Why nobody is what cpu= asks for, or NULL. */
const char *crew_obstacle(const struct options *options);

#endif
