// SPDX-License-Identifier: GPL-2.0-or-later
/* FAST_PATH: 1 if the fast path is compiled in. The emulator's build (../builder/fast_path.py)
 * writes 0 if the fast path differs from the long one. */
#ifndef FAST_PATH_H
#define FAST_PATH_H

#define FAST_PATH 1

#endif
