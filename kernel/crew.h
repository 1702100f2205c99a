/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prototype */
#ifndef KERNEL_CREW_H
#define KERNEL_CREW_H
#include "kernel/options.h"
#include "kernel/verdict.h"
void crew_gather(const struct options *options);
void crew_go(void);
void crew_finish(void);
bool crew_is_member(void);
void crew_end(enum verdict verdict) __attribute__((noreturn));
void crew_take(const char *text, size_t length);
#endif
