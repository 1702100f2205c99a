// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the scenarios are made of. They drive one machine, and each value that software could see
 * goes into one number by see().
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

/* Registers of the architectural stack, one entry more than there can be among them. */
void see_arch_lbrs(void);

/* Both see whether the register was there, too. */
void read_msr(uint32_t msr);
void write_msr(uint32_t msr, uint64_t value);

/* cpls: privilege level before the branch in the upper digit, after it in the lower. */
void report(enum ds_branch_kind kind, uint64_t from, uint64_t to, unsigned cpls);
void report_nmi(void);
void run_at(uint8_t cpl, unsigned instructions);

/* Each of the instructions that microcode does runs: how many there are, and where number n is. */
#define MICROCODED 18
uint64_t microcoded_at(unsigned n);
void run_microcoded(void);

/* One branch of each kind and ring, and some at the edges of the address space. */
void every_branch(void);

/* BTS as given, in records and bytes; PEBS three records, threshold at the second. */
void buffers(unsigned records, unsigned extra, unsigned threshold);

/* Those of the counters that there are. */
void enable(uint64_t counters);

/* The bit of IA32_PERFEVTSELx that asks for adaptive records, if there is one. */
uint64_t adaptive(void);

/* An event that every instruction is, and that this processor samples. */
uint64_t precise(void);

/* A general-purpose counter, or number 0, samples the event, after five for the first time. */
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
