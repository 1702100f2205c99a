/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PCI configuration space of segment 0, by the ports CF8H and CFCH, which every PC chipset has:
 * just enough to find a device, to wake it and to see where it is. Processor 0 alone, interrupts
 * aside.
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

/* The four bytes that a byte offset below 256 lies in. All ones where there is no such function. */
uint32_t pci_read(const struct pci_function *function, unsigned offset);
void pci_write(const struct pci_function *function, unsigned offset, uint32_t value);
bool pci_exists(const struct pci_function *function);

/*
 * Every function of bus 0 and of the buses behind its bridges, in the order of their numbers, until
 * visit returns true; whether it did.
 */
bool pci_find(bool (*visit)(const struct pci_function *function, void *argument), void *argument);

/* The first base address register. False where firmware gave it none. */
bool pci_first_bar(const struct pci_function *function, struct pci_bar *bar);

/* Does it answer at its base addresses: decoding switched on, in power state D0? */
bool pci_is_awake(const struct pci_function *function);

/* Lets so much time pass. */
typedef void (*pci_rest)(uint64_t microseconds);

/*
 * Makes it so. One that leaves a sleep state is given its rest before anything else is asked of it,
 * and then the addresses that it had before.
 */
void pci_wake(const struct pci_function *function, pci_rest rest);

#endif
