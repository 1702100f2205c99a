// SPDX-License-Identifier: GPL-2.0-or-later
/* What every device of the emulator's own needs. */
#ifndef DEBUG_STORE_BOARD_DEVICE_H
#define DEBUG_STORE_BOARD_DEVICE_H

#include "hw/qdev-properties.h"
#include "migration/vmstate.h"

/* QEMU 10.1 has made it constant. */
#if __has_include("accel/tcg/probe.h")
typedef const void ClassData;
#else
typedef void ClassData;
#endif

#endif
