/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An initialiser for tests of the screen: a board with long names. */
#ifndef TESTS_HOST_UNIT_SAMPLE_MACHINE_H
#define TESTS_HOST_UNIT_SAMPLE_MACHINE_H

#define SAMPLE_MACHINE                                                                             \
    {                                                                                              \
        .version = "v1.2-3-gabcdef", .cpu = "Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz",            \
        .hypervisor = "none (bare metal)",                                                         \
        .signature = "06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3)",                             \
        .short_signature = "06_5EH-3", .microcode = 0xf0, .firmware = "BIOS",                      \
        .firmware_version = "Some Vendor 1.40", .board_name = "Maker Board 9"                      \
    }

#endif
