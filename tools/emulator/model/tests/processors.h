// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles of each kind of Debug Store, for tests that go through all of them. */
#ifndef PROCESSORS_H
#define PROCESSORS_H

#include "debug_store.h"

/*
 * 0 Core 2, 1 Nehalem, 2 Haswell, 3 Skylake, 4 Goldmont, 5 Ice Lake,
 * 6 an invented one without a Debug Store, with two counters of perfmon 1,
 * 7 and 8 invented ones: Ice Lake with PEBS format 5, and with 6,
 * 9 Sapphire Rapids, 10 an invented one with the model number of Sierra Forest,
 * 11 the P-core and 12 the E-core of Lunar Lake, 13 the E-core of Arrow Lake-H,
 * 14 the first Atom, 15 the P-core of Panther Lake.
 */
#define PROCESSORS 16
struct ds_profile processor(unsigned i);

#endif
