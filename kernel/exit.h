/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of a run: tells the host the verdict as far as the machine can, and stops. */
#ifndef KERNEL_EXIT_H
#define KERNEL_EXIT_H

#include "kernel/options.h"
#include "kernel/verdict.h"

/* How run_exit() ends the machine from now on. Before the first call: EXIT_AUTO. */
void exit_choose(enum exit_method method);

/* The verdict is printed already. Never returns; halts with interrupts off if nothing else works.
 */
void run_exit(enum verdict verdict) __attribute__((noreturn));

#endif
