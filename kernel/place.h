/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where tests are executed. All of them are on the processor that booted; on a machine with several
 * kinds of processor those that are about no particular one are executed once more on the first of
 * each other kind, and it is held to its own choices (MP-1, F24.8). The processor that booted
 * conducts: it starts the other one, waits, and tells the log what came of it.
 */
#ifndef KERNEL_PLACE_H
#define KERNEL_PLACE_H

#include <stdbool.h>

#define PLACE_LABEL_SIZE 8u /* bytes, terminating zero included */

enum places { PLACES_OF_KINDS, PLACES_BOOT, PLACES_EACH };

/* What the option cpu= wants; until then PLACES_OF_KINDS. */
void places_choose(enum places wanted);

/* Whether tests are executed on this processor; on processor 0 always. */
bool place_is_one(unsigned processor);

/* The first processor, by number, that is of the same kind: itself mostly. */
unsigned place_first_of_kind(unsigned processor);

/* Whether the numbered processors are of several kinds. */
bool place_kinds_differ(void);

/* From now on tests are executed there, and what is enumerated is asked of it. */
void place_go(unsigned processor);
unsigned place(void);

/* "E2", of processor 2, an E-core; "cpu2" where nothing tells the kind. Returns text. */
char *place_label(unsigned processor, char text[PLACE_LABEL_SIZE]);

/* What stands behind a name to tell where: "@E2"; "" on processor 0. */
const char *place_suffix(void);

#endif
