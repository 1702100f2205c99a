// SPDX-License-Identifier: GPL-2.0-or-later
/* Is there a fast path? Where it does not do what the long one does the emulator's build writes 0:
 * ../builder/fast_path.py. */
#ifndef FAST_PATH_H
#define FAST_PATH_H

#define FAST_PATH 1

#endif
