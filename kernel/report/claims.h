/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of claim ids, in the order in which they were first added. */
#ifndef KERNEL_REPORT_CLAIMS_H
#define KERNEL_REPORT_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#define CLAIM_SET_COUNT 96u

struct claim_set {
    const char *ids[CLAIM_SET_COUNT]; /* strings that live as long as the kernel */
    size_t count;
};

/* Twice the same is once; beyond CLAIM_SET_COUNT nothing is added. */
void claim_set_add(struct claim_set *set, const char *id);
void claim_set_add_all(struct claim_set *set, const char *const *ids); /* NULL at the end */

/* The characters of an id before its number, "T17-6." of "T17-6.4": what its family has in common.
 */
size_t claim_family_length(const char *id);

/* The ids with a space before each: " BTS-5 T17-6.7". Returns text. */
char *claim_set_format(const struct claim_set *set, char *text, size_t size);

#endif
