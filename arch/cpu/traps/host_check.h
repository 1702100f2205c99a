/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a hypervisor run this guest as a processor would? Some run it by other ways than the
 * processor's own and get single instructions wrong; what the tests find then says nothing about
 * a Debug Store.
 */
#ifndef ARCH_CPU_TRAPS_HOST_CHECK_H
#define ARCH_CPU_TRAPS_HOST_CHECK_H

/*
 * Tries what no processor with 64-bit mode can get wrong: from ring 3, SYSCALL arrives at its entry
 * in a page of ring 0, and instructions follow each other, and lie, across the end of a page. NULL,
 * or what went wrong (static text). Some microseconds on a processor. Needs paging_init().
 */
const char *host_check(void);

#endif
