// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts of scenarios. They drive one machine; see() mixes each value that software could see into
 * one number.
 */
#ifndef SCENARIO_PARTS_H
#define SCENARIO_PARTS_H

#include "machine.h"

#define KERNEL 0xffffffff81000000ull
#define USER   0x400000ull

extern struct machine machine;

void see(uint64_t value);
void see_memory(void);

/* Counters, LBR stack, status, memory. */
void see_all(void);

/* Registers of the architectural stack, with one entry more than can exist. */
void see_arch_lbrs(void);

/* Both pass the result of the access to see(). read_msr() also passes the value, write_msr() how
 * many interrupts came. */
void read_msr(uint32_t msr);
void write_msr(uint32_t msr, uint64_t value);

/* cpls: two hexadecimal digits, as 0x30 for a branch from ring 3 to ring 0. */
void report(enum ds_branch_kind kind, uint64_t from, uint64_t to, unsigned cpls);
void report_nmi(void);
void run_at(uint8_t cpl, unsigned instructions);

/* Instructions that are microcoded: how many there are; a function that puts instruction n into
 * memory and returns its address; one that runs them all. */
#define MICROCODED 18
uint64_t microcoded_at(unsigned n);
void run_microcoded(void);

/* One branch of each kind and ring, and some at the edges of the address space. */
void every_branch(void);

/* Sets up the DS area: for BTS, room for `records` records and `extra` bytes, and the threshold
 * `threshold` records from the base; for PEBS, three records, the threshold after the second. */
void buffers(unsigned records, unsigned extra, unsigned threshold);

/* counters: bits of IA32_PERF_GLOBAL_CTRL. Enables those that exist, and disables all others. */
void enable(uint64_t counters);

/* The bit of IA32_PERFEVTSELx for adaptive records, or 0. */
uint64_t adaptive(void);

/* Returns the event select of an event that every instruction makes and that this processor
 * samples. */
uint64_t precise(void);

/* Both make a general-purpose counter sample the event by PEBS, with its first overflow after five
 * events. sample() uses counter 0. */
void sample_on(unsigned number, uint64_t event);
void sample(uint64_t event);

/* Makes counter `number` (32 + n: fixed counter n) overflow after `period` instructions. signals:
 * with an interrupt. */
void prepare(unsigned number, unsigned period, bool signals);

void scenario_registers(void);
void scenario_area(void);
void scenario_selection(void);
void scenario_records(void);
void scenario_buffer(void);
void scenario_threshold(void);
void scenario_overflow(void);
void scenario_counters(void);
void scenario_pebs(void);
void scenario_groups(void); /* more of scenario_pebs(), which calls it */
void scenario_arch_pebs(void);
void scenario_freeze(void);
void scenario_smm(void);
void scenario_init(void);
void scenario_lbr(void);
void scenario_ler(void);
void scenario_step(void);
void scenario_arch_lbr(void);
void scenario_neighbours(void);

#endif
