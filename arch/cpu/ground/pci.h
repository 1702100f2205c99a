/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, locates and wakes PCI devices of segment 0. It accesses configuration space through the
 * ports CF8H and CFCH, which every PC chipset has. Only processor 0 may call this, and not from an
 * interrupt.
 */
#ifndef ARCH_CPU_GROUND_PCI_H
#define ARCH_CPU_GROUND_PCI_H

#include <stdbool.h>
#include <stdint.h>

#define PCI_DEVICES   32u /* of a bus */
#define PCI_FUNCTIONS 8u  /* of a device */

#define PCI_IDS   0x00u /* vendor in bits 15:0, device in bits 31:16 */
#define PCI_CLASS 0x08u /* revision in bits 7:0, programming interface, sub-class, class */

struct pci_function {
    uint8_t bus, device, function;
};

struct pci_bar {
    bool in_memory;
    uint64_t address; /* physical, or a port */
};

/* Reads or writes the aligned four bytes in which the byte at this offset (below 256) lies. A read
 * gives all ones if the function does not exist. */
uint32_t pci_read(const struct pci_function *function, unsigned offset);
void pci_write(const struct pci_function *function, unsigned offset, uint32_t value);
bool pci_exists(const struct pci_function *function);

/*
 * Visits the functions of bus 0 and of the buses behind its bridges, in numerical order, until
 * visit() returns true. Returns true if visit() did.
 */
bool pci_find(bool (*visit)(const struct pci_function *function, void *argument), void *argument);

/* Reads the first base address register. Returns false if the firmware assigned no address. */
bool pci_first_bar(const struct pci_function *function, struct pci_bar *bar);

/* Is the function's decoding on, and is it in power state D0? */
bool pci_is_awake(const struct pci_function *function);

/* A function that waits for so many microseconds. */
typedef void (*pci_rest)(uint64_t microseconds);

/* Puts the function into power state D0 and switches its decoding on. If it was in a sleep state,
 * calls rest() before the next access, then restores the addresses that the function had. */
void pci_wake(const struct pci_function *function, pci_rest rest);

#endif
