/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a hypervisor run this guest as a processor would? Some emulate instructions and get single
 * ones wrong; test results then say nothing about a Debug Store.
 */
#ifndef ARCH_CPU_TRAPS_HOST_CHECK_H
#define ARCH_CPU_TRAPS_HOST_CHECK_H

/*
 * Tries what every 64-bit processor gets right: SYSCALL from ring 3 arrives at its entry in a ring
 * 0 page, and ring 3 executes across the end of a page, between and within instructions. Returns
 * NULL, or what went wrong (static text). Takes some microseconds on a processor. Needs
 * paging_init().
 */
const char *host_check(void);

#endif
