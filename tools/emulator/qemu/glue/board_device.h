// SPDX-License-Identifier: GPL-2.0-or-later
/* Includes and types that every device in this folder needs. */
#ifndef DEBUG_STORE_BOARD_DEVICE_H
#define DEBUG_STORE_BOARD_DEVICE_H

#include "hw/qdev-properties.h"
#include "migration/vmstate.h"

/* Constant since QEMU 10.1. */
#if __has_include("accel/tcg/probe.h")
typedef const void ClassData;
#else
typedef void ClassData;
#endif

#endif
