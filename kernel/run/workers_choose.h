/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the workers (kernel/run/workers.h). */
#ifndef KERNEL_RUN_WORKERS_CHOOSE_H
#define KERNEL_RUN_WORKERS_CHOOSE_H

#include "kernel/settings.h"

/* The APIC id of the processor with this number, from 1 on; UINT32_MAX past the last. */
uint32_t workers_id(unsigned number);

/* Does cpu= ask for tests on this processor? */
bool workers_wants(const struct options *options, unsigned number);

/* Does cpu= ask for any worker, as far as is known before processors are started? */
bool workers_wants_anybody(const struct options *options);

/* Why no processor is what cpu= asks for, or NULL. */
const char *workers_obstacle(const struct options *options);

#endif
