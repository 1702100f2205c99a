// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the fast path is compiled in. The emulator's build (../builder/fast_path.py) writes 0 if
 * it differs from the long one. */
#ifndef FAST_PATH_H
#define FAST_PATH_H

#define FAST_PATH 1

#endif
