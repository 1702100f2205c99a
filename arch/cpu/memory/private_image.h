/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private images: another processor runs the unmodified kernel in its own copy of all writable
 * kernel memory, mapped at the same addresses, as if it had booted alone. It continues from the
 * state at the time of the copy. Code, constants and .bss.shared (SHARED_BY_IMAGES) are common; the
 * images communicate through the latter.
 *
 * In a private image its processor is number 0 and knows no others (processors.h). Mappings and
 * learned traits belong to the image. Devices stay with the processor that booted.
 */
#ifndef ARCH_CPU_MEMORY_PRIVATE_IMAGE_H
#define ARCH_CPU_MEMORY_PRIVATE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARED_BY_IMAGES __attribute__((section(".bss.shared")))

/* Bytes of physical memory that a private image takes, whole pages. */
uint64_t private_image_size(void);

/*
 * Copies the running image to `physical`, a page boundary with private_image_size() free bytes.
 * Returns false if the processor cannot address them. Must not be called in a private image.
 */
bool private_image_make(uint64_t physical);

/* Copies `size` bytes of a variable of the private image at `physical` to *out. variable: its
 * address, which is the same in all images; it must lie in private memory. Returns false if the
 * processor cannot address the image. */
bool private_image_read(uint64_t physical, const void *variable, void *out, size_t size);

/* CR3 of the private image at `physical`. */
uint64_t private_image_root(uint64_t physical);

#endif
