/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a Multiboot2 loader looks for in the first 32 KiB of the image (F11.30, F11.35). */

#define MAGIC        0xe85250d6
#define ARCHITECTURE 0 /* i386, protected mode */
#define LENGTH       (header_end - header_start)

#define TAG_END                 0
#define TAG_INFORMATION_REQUEST 1
#define TAG_CONSOLE_FLAGS       4
#define TAG_FRAMEBUFFER         5
#define OPTIONAL                1
#define CONSOLE_EGA_TEXT        2 /* EGA text is supported, no console is required */

    .section .multiboot2, "a"
    .balign 8
header_start:
    .long MAGIC
    .long ARCHITECTURE
    .long LENGTH
    .long -(MAGIC + ARCHITECTURE + LENGTH)

    .balign 8
request:
    .short TAG_INFORMATION_REQUEST
    .short OPTIONAL /* the loader boots without them */
    .long request_end - request
    .long 1, 2, 6, 8, 14, 15 /* command line, loader, memory map, framebuffer, both RSDPs */
request_end:

    .balign 8
console:
    .short TAG_CONSOLE_FLAGS
    .short OPTIONAL
    .long console_end - console
    .long CONSOLE_EGA_TEXT
console_end:

    .balign 8
framebuffer:
    .short TAG_FRAMEBUFFER
    .short OPTIONAL
    .long framebuffer_end - framebuffer
    .long 0, 0, 32 /* any width, any height, 32 bits a pixel if there is a choice */
framebuffer_end:

    .balign 8
    .short TAG_END
    .short 0
    .long 8
header_end:
