// SPDX-License-Identifier: GPL-2.0-or-later
/* A processor under test with a little memory, in the place of an emulator's glue. */
#ifndef MACHINE_H
#define MACHINE_H

#include "debug_store.h"

#define IA32_MISC_ENABLE       0x1a0
#define IA32_DEBUGCTL          0x1d9
#define IA32_PERF_CAPABILITIES 0x345
#define IA32_DS_AREA           0x600

#define IA32_PMC0                     0x0c1
#define IA32_PERFEVTSEL0              0x186
#define IA32_FIXED_CTR0               0x309
#define IA32_FIXED_CTR_CTRL           0x38d
#define IA32_PERF_GLOBAL_STATUS       0x38e
#define IA32_PERF_GLOBAL_CTRL         0x38f
#define IA32_PERF_GLOBAL_STATUS_RESET 0x390
#define IA32_PERF_GLOBAL_STATUS_SET   0x391
#define IA32_PERF_GLOBAL_INUSE        0x392
#define IA32_PEBS_ENABLE              0x3f1
#define MSR_PEBS_DATA_CFG             0x3f2
#define IA32_A_PMC0                   0x4c1
#define MSR_PERF_METRICS              0x329
#define MSR_LBR_SELECT                0x1c8
#define MSR_LASTBRANCH_TOS            0x1c9
#define IA32_LER_INFO                 0x1e0
#define IA32_XSS                      0xda0
#define IA32_LBR_CTL                  0x14ce
#define IA32_LBR_DEPTH                0x14cf
#define IA32_LBR_0_INFO               0x1200
#define IA32_LBR_0_FROM_IP            0x1500
#define IA32_LBR_0_TO_IP              0x1600

/* Values of IA32_PERFEVTSELx: COUNT enables in all rings, COUNT_INT with the interrupt; then
 * events. */
#define COUNT        0x430000u
#define COUNT_INT    0x530000u
#define CYCLES       0x003cu
#define INSTRUCTIONS 0x00c0u
#define BRANCHES     0x00c4u
#define MISPREDICTS  0x00c5u

/* Model-specific precise events: the first of Nehalem to Skylake, the second of Nehalem to
 * Broadwell. */
#define PRECISE_BRANCHES 0x04c4u
#define MICRO_OPERATIONS 0x01c2u

/* Bits of IA32_PERF_GLOBAL_STATUS. */
#define FIXED(i) (1ull << (32 + (i)))
#define LBR_FRZ  (1ull << 58)
#define CTR_FRZ  (1ull << 59)
#define OVFBUF   (1ull << 62)
#define CONDCHGD (1ull << 63)

/* Bits of IA32_DEBUGCTL, written out again so that the model's list is checked too. */
#define LBR     0x0001u
#define BTF     0x0002u
#define TR      0x0040u
#define BTS     0x0080u
#define BTINT   0x0100u
#define OFF_OS  0x0200u
#define OFF_USR 0x0400u

#define FREEZE_LBRS      0x0800u
#define FREEZE_PERFMON   0x1000u
#define FREEZE_WHILE_SMM 0x4000u

#define MEMORY_BASE  0xffff800000010000ull
#define MEMORY_SIZE  0x8000u
#define AREA_ADDRESS (MEMORY_BASE + 0x1000)
#define BTS_ADDRESS  (MEMORY_BASE + 0x3000)
#define PEBS_ADDRESS (MEMORY_BASE + 0x5000)
#define POISON       0xa5

/* Memory that has no linear address, for architectural PEBS. */
#define PHYSICAL_BASE 0x7000000ull
#define PHYSICAL_SIZE 0x3000u

struct machine {
    struct ds_cpu cpu;
    struct ds_host host;
    uint64_t base;       /* linear address of memory[0] */
    uint64_t hole_start; /* [hole_start, hole_end) is not mapped */
    uint64_t hole_end;
    unsigned pmis;
    bool nmi;                /* the interrupt is delivered as NMI */
    uint64_t uncore_written; /* the newest value */
    unsigned hangs;          /* how often it would have hung */
    uint64_t tsc;
    struct ds_registers registers;
    uint8_t memory[MEMORY_SIZE];
    uint8_t physical[PHYSICAL_SIZE];
};

struct record {
    uint64_t from, to, flags;
};

/* A healthy 64-bit processor after RESET in long mode, all features, memory poisoned. */
void machine_start(struct machine *machine);

/* As machine_start() with 32-bit layouts: no DTES64, long mode off, memory below 4 GiB. */
void machine_start_32(struct machine *machine);

/* A processor of family 6 and this model, with this perfmon version and IA32_PERF_CAPABILITIES,
 * after RESET in long mode. */
void machine_start_model(struct machine *machine, unsigned model, unsigned version,
                         uint64_t perf_capabilities);

/* The first is a WRMSR that must work; the others are a WRMSR and an RDMSR that must fault. */
void machine_write(struct machine *machine, uint32_t msr, uint64_t value);
void machine_refuses(struct machine *machine, uint32_t msr, uint64_t value);
void machine_refuses_read(struct machine *machine, uint32_t msr);

/* Retires instructions that are no branches, in ring 0. */
void machine_run(struct machine *machine, unsigned instructions);

/* Retires one branch instruction in ring 0: taken as branch `number`, or not taken. */
void machine_run_branch(struct machine *machine, unsigned number, bool taken);

void machine_debugctl(struct machine *machine, uint64_t value);
uint64_t machine_msr(struct machine *machine, uint32_t msr);

/* A little-endian number of `size` bytes in memory. */
uint64_t machine_peek(const struct machine *machine, uint64_t address, size_t size);
void machine_poke(struct machine *machine, uint64_t address, size_t size, uint64_t value);

/*
 * Sets up the BTS buffer and writes IA32_DS_AREA. The absolute maximum is base + records * size +
 * extra, the threshold base + threshold * size.
 */
void machine_bts(struct machine *machine, unsigned records, unsigned extra, unsigned threshold);

uint64_t machine_bts_address(const struct machine *machine);
size_t machine_record_size(const struct machine *machine);
void machine_set_index(struct machine *machine, uint64_t address);

/* The index in records from the base; ~0 if it is not a whole number of them. */
uint64_t machine_index(const struct machine *machine);
struct record machine_record(const struct machine *machine, unsigned number);

/* Are 512 bytes from the place of record `number` on still poison? */
bool machine_is_poison(const struct machine *machine, unsigned number);

/* Reports branch `number`: a near JMP, or a far transfer if the two rings differ. machine_from()
 * and machine_to() give its addresses. */
void machine_branch(struct machine *machine, unsigned number, unsigned old_cpl, unsigned new_cpl);
uint64_t machine_from(unsigned number);
uint64_t machine_to(unsigned number);

/* Reports branches `first` to `last` (inclusive) in ring 0. */
void machine_branches(struct machine *machine, unsigned first, unsigned last);

/* Does record `place` hold branch `number`? */
bool machine_holds(const struct machine *machine, unsigned place, unsigned number);

#endif
