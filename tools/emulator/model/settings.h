// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Settings of a processor: what it has (profile), how it decides what the manual leaves open
 * (variations), what is wrong with it (faults), and published defects (errata). F-numbers refer to
 * the project's facts.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the processor has: profile_fields.def says what each field means. Set once, before
 * ds_reset(); the model never changes it. */
struct ds_profile {
    bool present; /* false: nothing of this exists; every MSR is DS_MSR_NOT_MINE */
#define SWITCH(field, name, from, help)                bool field;
#define NUMBER(field, type, name, maximum, from, help) type field;
#include "profile_fields.def"
#undef SWITCH
#undef NUMBER
};

#define DS_GENERAL_COUNTERS_MAX 10
#define DS_FIXED_COUNTERS_MAX   7
#define DS_COUNTERS_MAX         (DS_GENERAL_COUNTERS_MAX + DS_FIXED_COUNTERS_MAX)

/* NULL if the profile is consistent, otherwise one sentence that says what is not. */
const char *ds_profile_check(const struct ds_profile *profile);

/* CPUID leaf 0AH: regs = EAX, EBX, ECX, EDX (F1.7-F1.11); zero if the profile is not present. */
void ds_profile_leaf_0a(const struct ds_profile *profile, uint32_t regs[4]);

/* CPUID leaf 1CH: regs = EAX, EBX, ECX, EDX (F20.2, F20.3); zero without architectural LBRs. */
void ds_profile_leaf_1c(const struct ds_profile *profile, uint32_t regs[4]);

/* CPUID leaf 23H, the counters of this core (F21.7-F21.10); zero without the leaf or sub-leaf. */
void ds_profile_leaf_23(const struct ds_profile *profile, uint32_t subleaf, uint32_t regs[4]);

enum ds_crossing { DS_CROSSING_OLD, DS_CROSSING_NEW, DS_CROSSING_BOTH };
/* The CPL by which IA32_LBR_CTL filters a ring crossing (F20.26). */
enum ds_arch_crossing { DS_ARCH_CROSSING_NEW, DS_ARCH_CROSSING_OLD, DS_ARCH_CROSSING_BOTH };

enum ds_wrap { DS_WRAP_LAZY, DS_WRAP_EAGER };
enum ds_predicted { DS_PREDICTED_ON, DS_PREDICTED_OFF, DS_PREDICTED_RANDOM };

/*
 * When does a record fit below the absolute maximum (F3.22)? By reading A if index < maximum, by B
 * if index + size <= maximum, by C if index + size < maximum. Reading C takes the manual literally:
 * the maximum should be a whole number of records plus 1. With a maximum without the 1, as Linux
 * sets it, such a processor does not use the last record, and the index never reaches the maximum.
 * That is the program's fault, not the processor's.
 */
enum ds_limit { DS_LIMIT_B, DS_LIMIT_A, DS_LIMIT_C };

/* What a write does to bits that a register lacks, where the manual does not say. */
enum ds_lacking { DS_LACKING_FAULT, DS_LACKING_IGNORED, DS_LACKING_STICKS };

/* An instruction's address in a record: segment base plus offset, the offset alone, or as the LBR
 * format says (F4.16). */
enum ds_address { DS_ADDRESS_LINEAR, DS_ADDRESS_EFFECTIVE, DS_ADDRESS_OF_FORMAT };

/* What INIT does to the architectural LBR registers (D24). */
enum ds_init_lbr { DS_INIT_LBR_KEEPS, DS_INIT_LBR_STOPS, DS_INIT_LBR_CLEARS };

/* What bits without a meaning hold. */
enum ds_undefined { DS_UNDEFINED_ZERO, DS_UNDEFINED_ONES, DS_UNDEFINED_CHANGES };

/* The counter that is in use by others. */
enum ds_taken {
    DS_TAKEN_NONE,
    DS_TAKEN_FIXED_0, /* and fixed counters 1 and 2 */
    DS_TAKEN_PMC0 = DS_TAKEN_FIXED_0 + 3,
};

/* When the first Atom clears TR because of FREEZE_LBRS_ON_PMI: never, at the freeze, or when that
 * bit is written (F7.13). */
enum ds_atom_freeze { DS_ATOM_FREEZE_KEEPS, DS_ATOM_FREEZE_AT_FREEZE, DS_ATOM_FREEZE_AT_WRITE };

/* What the manual leaves open. All zero is the default processor. */
struct ds_variation {
    uint32_t crossing;  /* x-ds-crossing: enum ds_crossing, whose CPL decides (F4.30-F4.34) */
    uint32_t wrap;      /* x-ds-wrap: enum ds_wrap, when a circular index wraps (F3.25a) */
    uint32_t limit;     /* x-ds-limit: enum ds_limit, when the buffer is full (F3.22) */
    uint32_t pmi_late;  /* x-ds-pmi-late: records stored between threshold and PMI request */
    uint32_t predicted; /* x-ds-predicted: enum ds_predicted, flags bit 4 of a record (F3.11) */
    uint32_t btint_clear_interrupts; /* x-ds-btint-clear-interrupts: PMI with BTINT=0 (D4) */
    uint32_t pmi_skid;   /* x-ds-pmi-skid: instructions retired between overflow and PMI (F6.44) */
    uint32_t bts_ovfbuf; /* x-ds-bts-ovfbuf: a BTS interrupt sets STATUS bit 62 too (F5.22, D15) */
    uint32_t bts_no_freeze; /* x-ds-bts-freezes=off: no freeze at the BTS threshold (F7.5, D1) */
    uint32_t lbr_format;    /* x-ds-lbr-format: IA32_PERF_CAPABILITIES[5:0]; 0: as in the profile */
    uint32_t debug_not_stored;  /* x-ds-debug-stored=off: a #DB makes no BTS record (F4.7) */
    uint32_t tr_updates_lbr;    /* x-ds-tr-feeds-lbr: TR feeds the LBR stack too (F4.8, D9) */
    uint32_t int_from_next;     /* x-ds-int-from=next: FROM of INT n is what follows it (F4.3) */
    uint32_t btf_events;        /* x-ds-btf-events: BTF traps after interrupts too (F9.2, D10) */
    uint32_t btf_no_far;        /* x-ds-btf-far=off: BTF passes over far transfers (F9.9) */
    uint32_t ler_without_lbr;   /* x-ds-ler-without-lbr: LER is kept while LBR is clear (F8.32) */
    uint32_t ler_by_debug;      /* x-ds-ler-by-debug: a #DB updates it (F8.33) */
    uint32_t ler_not_by_int;    /* x-ds-ler-by-int=left-alone: INT n does not update it (F8.30) */
    uint32_t reserved_ignored;  /* x-ds-debugctl-reserved=ignored: what is lacking (F2.3) */
    uint32_t threshold_once;    /* x-ds-threshold-again=off: one PMI for each crossing (F5.3) */
    uint32_t freeze_stops_bts;  /* x-ds-freeze-stops-bts: no BTS while LBR_Frz is set (F7.13) */
    uint32_t lbr_freeze_legacy; /* x-ds-lbr-freeze=legacy: only on Goldmont (D12) */
    uint32_t atom_freeze;       /* x-ds-freeze-or-tr: enum ds_atom_freeze, only on the first Atom */
    uint32_t lbr_crossing_old; /* x-ds-lbr-crossing=old: MSR_LBR_SELECT means the old CPL (F8.24) */
    uint32_t select_filters_bts; /* x-ds-select-filters-bts: by MSR_LBR_SELECT (F4.35, D16) */
    uint32_t lbr_read_only;      /* x-ds-lbr-writable=fault: its registers refuse (F8.4, D17) */
    uint32_t lbr_or_tr;          /* x-ds-lbr-with-tr=off: on Core, TR stops the stack (F2.8) */
    uint32_t condchgd;           /* x-ds-condchgd: an overflow sets STATUS bit 63 too (F6.43) */
    uint32_t set_interrupts;     /* x-ds-set-interrupts: STATUS_SET raises the PMI (F6.8) */
    uint32_t reset_enables; /* x-ds-reset-enables=general: RESET sets them in GLOBAL_CTRL (F6.5) */
    uint32_t rsm_enables_all;   /* x-ds-rsm-enables=all: RSM sets all in GLOBAL_CTRL (F10.1, D14) */
    uint32_t init_ds_area;      /* x-ds-init-ds-area=cleared: INIT clears IA32_DS_AREA (F10.32) */
    uint32_t full_wraps;        /* x-ds-full=wraps: a full buffer wraps with BTINT set too (F5.5) */
    uint32_t machine_check_all; /* x-ds-machine-check=all: IA32_DEBUGCTL is cleared (F10.20) */
    uint32_t status_write_ignored; /* x-ds-status-write=ignored: 38EH drops writes (F6.10) */
    uint32_t inuse_write_ignored;  /* x-ds-inuse-write=ignored: 392H drops writes (F6.10) */
    uint32_t lbr_address;          /* x-ds-lbr-address: enum ds_address (F8.10) */
    uint32_t pebs_address;         /* x-ds-pebs-address: enum ds_address, the first two (F3.41) */
    uint32_t halt_loses_lbr;       /* x-ds-halt-loses-lbr: HLT empties the stack (F8.6, F20.38) */
    uint32_t far_overcount;        /* x-ds-far-overcount: far transfers count twice (F21.32) */
    uint32_t taken_counter;        /* x-ds-taken-counter: enum ds_taken, which others use (F25.8) */
    uint32_t inuse_lacks_fixed_3;  /* x-ds-inuse-fixed-3=off: 392H has no bit for it (F6.9) */
    uint32_t status_bits_ignored;  /* x-ds-status-reserved=ignored: 390H, 391H drop them (F6.10) */
    uint32_t upper_counters;       /* x-ds-upper-counters=works: PMC4-7 of two threads (F1.14) */
    uint32_t select_without_rtm;   /* x-ds-select-rtm: enum ds_lacking, bits 33:32 (F21.19) */
    uint32_t debugctl_without_rtm; /* x-ds-debugctl-rtm: enum ds_lacking, bit 15 (F23.15) */
    uint32_t any_thread_deprecated;   /* x-ds-any-thread: enum ds_lacking, its bits (F21.3) */
    uint32_t rdpmc_high_bits_ignored; /* x-ds-rdpmc-high-bits=ignored: ECX[29:8], versions 2, 3 */
    uint32_t delivery_counts;    /* x-ds-delivery-counted: a delivery counts as an instruction */
    uint32_t arch_lbr_crossing;  /* x-ds-arch-lbr-crossing: enum ds_arch_crossing (F20.26) */
    uint32_t arch_lbr_from_told; /* x-ds-lbr-filtered-from=address: of a hidden ring too (F20.26) */
    uint32_t call_stack_keeps_all; /* x-ds-call-stack-zero-length: such calls are kept (F20.27) */
    uint32_t call_next_left_out; /* x-ds-lbr-call-next=off: a zero-length CALL has none (F20.44) */
    uint32_t reset_lbr_depth;    /* x-ds-lbr-reset-depth=zero: IA32_LBR_DEPTH then (F20.32) */
    uint32_t reset_keeps_lbr;    /* x-ds-reset-keeps-lbr: entries outlast a later RESET (F20.32) */
    uint32_t init_lbr;           /* x-ds-init-lbr: enum ds_init_lbr (D24) */
    uint32_t smi_lbr_by_freeze;  /* x-ds-smm-in-lbr: unless DEBUGCTL[14] is set (F20.31) */
    uint32_t lbr_other_type;     /* x-ds-lbr-other-type: BR_TYPE of other branches (F20.22) */
    uint32_t lbr_undefined;      /* x-ds-lbr-undefined: enum ds_undefined, of INFO (F20.21) */
    uint32_t first_cycles_valid; /* x-ds-lbr-first-cycles=valid: of the first record (F20.23) */
    uint32_t lbr_ctl_all_bits;   /* x-ds-lbr-ctl-lacking=sticks: bits without capability (F20.16) */
    uint32_t debugctl_lbr_sticks; /* x-ds-debugctl-lbr=sticks: beside architectural LBRs (F20.28) */
    uint32_t xsaves_stops_lbr;    /* x-ds-xsaves-stops-lbr: XSAVES clears LBREn (F20.37) */
    uint32_t xrstors_loads_depth; /* x-ds-xrstors-depth=restored: takes any depth (F20.19) */
    uint32_t ler_filtered;        /* x-ds-ler-filtered: IA32_LBR_CTL filters LER too (F20.35) */
    uint32_t pebs_skid; /* x-ds-pebs-skid: instructions from an overflow to being armed (F22.19) */
    uint32_t snapshot_before_event; /* x-ds-pebs-snapshot-counts=off: without it (F22.8) */
    uint32_t snapshot_after_reload; /* x-ds-pebs-snapshot-own=reloaded: its own value */
    uint32_t fixed_0_untimed;       /* x-ds-fixed-0-timed=off: its records are not timed (F22.13) */
    uint32_t inuse_lacks_newer;     /* x-ds-inuse-newer=off: 392H has no bits of newer counters */
    uint32_t old_numbers_go_on;     /* x-ds-old-numbers=works: C9H, 18EH, 30DH and on (F21.14) */
    uint32_t block_write_narrow;    /* x-ds-block-write=32-bits: counter writes take 32 bits */
    uint32_t user_read_fault;       /* x-ds-user-read=fault: RDPMC kept from ring 3 (F21.8) */
    uint32_t block_lacking_fault;   /* x-ds-block-lacking=fault: CFG_B, CFG_C without a bit */
    uint32_t arch_pebs_off_overflows; /* x-ds-arch-pebs-off=overflows: while EN is clear (F22.31) */
    uint32_t arch_pebs_full_early;    /* x-ds-arch-pebs-full=early: when no more fits (F22.32) */
    uint32_t arch_pebs_full_interrupts; /* x-ds-arch-pebs-full-interrupts: FULL does (F22.31) */
    uint32_t arch_pebs_split; /* x-ds-arch-pebs-fragments=two: some groups have a second (F22.34) */
    uint32_t arch_pebs_tells_own;  /* x-ds-arch-pebs-own=always: own value in records (F22.33) */
    uint32_t init_keeps_arch_pebs; /* x-ds-init-arch-pebs=kept: INIT keeps 3F4H, 3F5H (F22.31) */
    uint32_t arch_pebs_keeps_overflow; /* x-ds-arch-pebs-overflow=kept: status bit stays (F3.63) */
    uint32_t arch_pebs_ip_next;        /* x-ds-arch-pebs-ip=next: IP of the basic group (F22.35) */
    uint32_t arch_pebs_wide_unit; /* x-ds-arch-pebs-unit=64: fragments fill 64 bytes (F22.34) */
    uint32_t old_pebs_registers;  /* x-ds-arch-pebs-old=inert: 3F1H, 3F2H are there (F22.39) */
};

/* One variation as users see it: name, help and the form of its value. */
struct ds_variation_info {
    const char *name;           /* as in x-ds-NAME, without the x-ds- */
    const char *help;           /* one line */
    const char *const *choices; /* words by value, NULL-ended; NULL: a number from 0 to maximum */
    uint32_t maximum;           /* largest number; unused with choices */
    size_t offset;              /* of the uint32_t in struct ds_variation */
};

extern const struct ds_variation_info ds_variations[];
extern const size_t ds_variation_count;

/* Sets the variation called `name` (without x-ds-). NULL, or a sentence that says what is wrong. */
const char *ds_variation_set(struct ds_variation *variation, const char *name, const char *text);

/* Writes the variation's value as text, NUL-terminated, cut at size bytes. */
void ds_variation_get(const struct ds_variation *variation, const struct ds_variation_info *info,
                      char *text, size_t size);

enum ds_fault_kind {
    DS_FAULT,
    DS_INVENTED, /* by somebody who had not seen the tests */
    DS_SYMPTOM,  /* of published errata; breaks no claim by itself, or only now and then */
};

/*
 * Faults make a processor break a claim or show an erratum; a healthy processor has none on. The
 * text of x-ds-fault is NAME or NAME:1/N (one occasion in N, by a generator that is the same on
 * every run), several joined by '+' or ','.
 */
struct ds_fault_info {
    const char *name;
    const char *claims; /* ids of the claims broken, and of errata that come near, with spaces */
    const char *needs;  /* words of faults/needs.c that must hold, or none */
    const char *help;   /* one line: what such a processor does */
    enum ds_fault_kind kind;
};

/* Can the processor show it: do all words of info->needs hold (faults/needs.c)? */
bool ds_fault_applies(const struct ds_fault_info *info, const struct ds_profile *profile);

#define DS_FAULTS_MAX 1024

extern const struct ds_fault_info ds_faults[];
extern const size_t ds_fault_count;

/* Which faults are on. Set once, before ds_reset(), which keeps it. */
struct ds_fault_settings {
    bool some;                      /* at least one is on */
    uint32_t period[DS_FAULTS_MAX]; /* by row of ds_faults: 0 off, N once in N times */
};

/* Turns on the faults in `text` and all others off. NULL, or a sentence that says what is wrong
 * with `text`; nothing is changed then. */
const char *ds_fault_set(struct ds_fault_settings *settings, const char *text);

/* For a processor that is not the machine's last: turns off the faults "alone". */
void ds_fault_leave_to_last(struct ds_fault_settings *settings);

/* Writes the faults that are on as such a text, NUL-terminated, cut at size bytes; empty if none
 * is. */
void ds_fault_get(const struct ds_fault_settings *settings, char *text, size_t size);

/* A revision of the microcode of some processors of family 6. */
struct ds_microcode {
    uint8_t model, stepping;
    uint32_t revision;
};

/*
 * Errata that Intel published or that operating systems work around: what some models do in spite
 * of the manual. The text of x-ds-errata is 'own' (all of this model that it can show), NAME or
 * NAME:1/N, several joined by '+' or ','.
 */
struct ds_erratum_info {
    const char *name;      /* as in the update of its specification, or a name of our own */
    const char *further;   /* its names in the updates of its relatives, separated by spaces */
    const uint8_t *models; /* DisplayModels of family 6, 0-ended */
    unsigned effect;       /* row of ds_faults */
    uint32_t period;       /* default of N */
    const struct ds_microcode *mended_by; /* revisions that mend it, 0-ended */
};

#define DS_ERRATA_MAX 128

extern const struct ds_erratum_info ds_errata[];
extern const size_t ds_errata_count;

/* Does the processor's model have the erratum, and can it show it? */
bool ds_erratum_applies(const struct ds_erratum_info *info, const struct ds_profile *profile);

/* Which errata are requested, and which are on. Set once, before ds_reset(), which keeps it. */
struct ds_errata_settings {
    bool own; /* all that apply */
    uint32_t
        asked[DS_ERRATA_MAX]; /* by row of ds_errata: 0 not requested by name, N once in N times */
};

/* Requests the errata in `text` and no others. NULL, or a sentence that says what is wrong with
 * `text`; nothing is changed then. */
const char *ds_errata_set(struct ds_errata_settings *settings, const char *text);

/*
 * Facilities that are enumerated but not provided, as under some hypervisors (F12.54 to F12.58).
 * The text of x-ds-not-lent is a list of NAME, NAME:fault or NAME:drop, joined by '+' or ','; rows
 * of not_lent.c have the names. fault: WRMSR is refused, and so is reading a register that is gone
 * as a whole. drop: a write has no effect, and the register reads 0.
 */
enum ds_facility {
    DS_FACILITY_BTS = 1 << 0,     /* IA32_DEBUGCTL: TR, BTS, BTINT, BTS_OFF_OS, BTS_OFF_USR */
    DS_FACILITY_DS_AREA = 1 << 1, /* IA32_DS_AREA */
    DS_FACILITY_PEBS = 1 << 2,    /* its registers, and its bits in those of the counters */
    DS_FACILITY_FREEZE = 1 << 3,  /* IA32_DEBUGCTL bits 11, 12 and 14 */
    DS_FACILITY_LBR = 1 << 4,     /* the stack of either kind: its registers, and what enables it */
    DS_FACILITY_BTF = 1 << 5,     /* IA32_DEBUGCTL.BTF */
    DS_FACILITY_LER = 1 << 6,     /* the last exception record */
    DS_FACILITY_PMI = 1 << 7,     /* the interrupt, whatever its cause */
    DS_FACILITY_COUNTERS = 1 << 8, /* all registers of performance monitoring, and RDPMC */
};

struct ds_not_lent {
    uint32_t facilities;  /* enum ds_facility */
    uint32_t drop, fault; /* those with a way of their own */
    bool others_drop;     /* x-ds-not-lent-way */
};

/* The first sets the facilities, the second the way of those without one of their own. NULL, or a
 * sentence that says what is wrong with `text`; nothing is changed then. */
const char *ds_not_lent_set(struct ds_not_lent *settings, const char *text);
const char *ds_not_lent_set_way(struct ds_not_lent *settings, const char *text);

struct ds_cpu;

/* Turns on the requested errata. To be called once, when the profile is complete, before
 * ds_reset(). NULL, or the name of one that this processor cannot show. */
const char *ds_errata_settle(struct ds_cpu *cpu);

#endif
