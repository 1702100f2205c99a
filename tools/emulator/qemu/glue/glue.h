// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions that the hooks call. Without pmu=on under TCG they do nothing, and the emulator
 * behaves as without hooks.
 */
#ifndef DEBUG_STORE_GLUE_H
#define DEBUG_STORE_GLUE_H

#include "cpu.h"

/* Translation flags, in bits that QEMU does not use (F12.23). */
#define HF_DS_BRANCHES_SHIFT     29
#define HF_DS_BRANCHES_MASK      (1 << HF_DS_BRANCHES_SHIFT) /* branch instructions are reported */
#define HF_DS_INSTRUCTIONS_SHIFT 30
#define HF_DS_INSTRUCTIONS_MASK  (1 << HF_DS_INSTRUCTIONS_SHIFT) /* every instruction is */

/* Life of a processor. debug_store_present(): does it have the model? debug_store_unavailable()
 * returns `unavailable`, features of a word that TCG lacks, without those that the model has. */
void debug_store_instance_init(X86CPU *cpu);
bool debug_store_realize(X86CPU *cpu, Error **errp);
bool debug_store_present(X86CPU *cpu);
bool debug_store_has_counters(CPUX86State *env);
uint64_t debug_store_unavailable(X86CPU *cpu, FeatureWord word, uint64_t unavailable);
void debug_store_reset(CPUX86State *env);
void debug_store_init_begins(X86CPU *cpu);

/* Instructions. The MSR functions return false if the register is not theirs; if it is and the
 * access faults, they raise #GP(0) and do not return. */
void debug_store_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax,
                       uint32_t *ebx, uint32_t *ecx, uint32_t *edx);
void debug_store_xsaves_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax,
                              uint32_t *ebx, uint32_t *ecx, uint32_t *edx);
void debug_store_hypervisor_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax, uint32_t *ebx,
                                  uint32_t *ecx, uint32_t *edx);
bool debug_store_has_xsaves(CPUX86State *env);
/* Loads a compacted area of XRSTOR; false if it is not compacted. */
bool debug_store_xrstor(CPUX86State *env, target_ulong base, uint64_t wanted,
                        uintptr_t return_address);
void debug_store_board_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax);
bool debug_store_rdmsr(CPUX86State *env, uintptr_t return_address);
bool debug_store_wrmsr(CPUX86State *env, uint64_t value, uintptr_t return_address);
bool debug_store_board_rdmsr(CPUX86State *env, uintptr_t return_address);
bool debug_store_board_wrmsr(CPUX86State *env, uint64_t value, uintptr_t return_address);
void debug_store_halts(CPUX86State *env);

/* Called before the #DB of TF; does not return if BTF holds the #DB back. */
void debug_store_single_step(CPUX86State *env);

/* For the #DB at the end of HLT: returns true if BTF holds it back. */
bool debug_store_trap_held_back(X86CPU *cpu);

/* Delivery of an interrupt, exception or INT n: before and after. */
void debug_store_event_begins(X86CPU *cpu, int vector, int software, int hardware);
void debug_store_event_ends(X86CPU *cpu);

/* An SMI is about to be taken. Returns true if it must wait: for the instruction after STI, or
 * because a machine check was pending, which this function delivers first. */
bool debug_store_smi_waits(X86CPU *cpu);
void debug_store_smm_entered(CPUX86State *env);
void debug_store_smm_left(CPUX86State *env); /* does not return if a HLT goes on */

/* A write of CR0 switched long mode on. */
void debug_store_long_mode_begins(CPUX86State *env);

#endif
