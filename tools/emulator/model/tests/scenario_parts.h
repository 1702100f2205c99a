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

/* Both also see whether the register exists. */
void read_msr(uint32_t msr);
void write_msr(uint32_t msr, uint64_t value);

/* cpls: privilege level before the branch in the upper digit, after it in the lower. */
void report(enum ds_branch_kind kind, uint64_t from, uint64_t to, unsigned cpls);
void report_nmi(void);
void run_at(uint8_t cpl, unsigned instructions);

/* The microcoded instructions: their number, the address of number n, and a run of them all. */
#define MICROCODED 18
uint64_t microcoded_at(unsigned n);
void run_microcoded(void);

/* One branch of each kind and ring, and some at the edges of the address space. */
void every_branch(void);

/* BTS as given, in records and bytes; PEBS three records, threshold at the second. */
void buffers(unsigned records, unsigned extra, unsigned threshold);

/* Enables those of the counters that exist. */
void enable(uint64_t counters);

/* The bit of IA32_PERFEVTSELx for adaptive records, or 0. */
uint64_t adaptive(void);

/* An event of every instruction that this processor samples. */
uint64_t precise(void);

/* Makes a general-purpose counter, number or 0, sample the event, first after five. */
void sample_on(unsigned number, uint64_t event);
void sample(uint64_t event);

/* Makes counter number overflow after some instructions; 32 and up: fixed. */
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
void scenario_groups(void); /* more of it */
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
