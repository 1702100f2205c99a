// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A board that misbehaves as real ones do: what comes from outside of the processor at times that
 * nobody foresees. Nothing of it happens before the firmware has handed the machine over, and
 * nothing at all where no property asks for it.
 */
#ifndef DEBUG_STORE_BOARD_H
#define DEBUG_STORE_BOARD_H

#include "qemu/timer.h"
#include "cpu.h"

/* Something that happens to a processor at random times, so many times a second in the mean. */
typedef struct BoardSource {
    X86CPU *cpu;
    uint32_t rate; /* a second; 0: never */
    void (*happens)(X86CPU *cpu, unsigned what);
    unsigned what;
    QEMUTimer *timer;
} BoardSource;

#define BOARD_STRAYS 8

/* What the properties ask of one processor. */
struct board {
    uint32_t smi_rate;   /* SMIs a second; the first processor's is the board's */
    uint32_t smi_length; /* microseconds that each takes at least */
    uint32_t smi_waits;  /* milliseconds that the handler waits for who is in INIT */
    bool smi_alone;      /* they come to this processor only, and are its own */
    BoardSource smi;
    bool smi_sent;            /* and not taken */
    uint32_t transition_rate; /* changes of the clock a second, while turbo may make them */
    BoardSource transitions;
    bool x2apic_locked; /* from the hand-over on */
    char *deaf_ids;     /* APIC ids of processors that hear no INIT and no start-up message */
    bool deaf;          /* this one is among them */
    char *tscs_ahead;   /* ID:TICKS of processors whose TSC is ahead, from RESET on */
    uint64_t tsc_ahead; /* this one's */
    uint64_t perf_ctl, clock_modulation, power_ctl; /* the registers */
    BoardSource strays[BOARD_STRAYS];
    bool serves_events; /* it has delivered one since the hand-over and INIT, in long mode */
    bool halted;        /* by HLT, and has run nothing since */
    bool smi_in_halt;   /* the SMI that is being served found it so */
    uint64_t smi_eip;   /* where it came */
    bool stuck;         /* the handler of an SMI never ends */
    bool thermal_smi;   /* firmware has its thermal interrupt, by SMI */
};

struct DebugStore;

/* Adds the properties to a new processor. */
void debug_store_add_board_properties(X86CPU *cpu);

/* When the processor's features are known: what they mean for its registers. NULL, or a sentence on
 * what does not hang together. */
const char *board_settle(struct DebugStore *store);

/* Whether number is one of those in the text, which '+' separates; NULL: none is. */
bool board_is_listed(const char *text, uint32_t number);

/* What stands behind number and a colon in such a text; 0: nothing does. */
uint64_t board_listed_value(const char *text, uint32_t number);

/* Whether the firmware's work is done. */
bool board_handed_over(void);

/* RESET, or INIT. Where the processor that booted has a RESET, the firmware has the machine again.
 */
void board_reset(struct DebugStore *store, bool init);

/* HLT; the delivery of an interrupt or exception, which ends it. */
void board_halts(struct DebugStore *store);
void board_event_comes(struct DebugStore *store);

/* Nanoseconds to the next time, where times are independent of each other, `rate` of them a second
 * in the mean. */
int64_t board_random_pause(uint32_t rate);

/* An SMI to every processor, as a chipset sends it. */
void board_send_smi(void);

/*
 * An SMI to this processor, or to every one, whose handler never ends: it runs nothing more, not
 * after INIT either, until RESET. It comes within a few instructions.
 */
void board_stick(X86CPU *cpu);
void board_stick_all(void);

/* Starts a source that has a rate. */
void board_start(BoardSource *source);

/* At the hand-over: no SMI that comes now is a command of the firmware's own (q35). */
void board_forget_smi_command(void);

/* At the hand-over, for each processor. */
void board_start_smis(X86CPU *cpu);
void board_start_transitions(X86CPU *cpu);
void board_start_strays(X86CPU *cpu);

/* Text of x-ds-stray: WHAT:RATE, several joined by '+'. False, and nothing changed, where it is
 * wrong. */
bool board_parse_strays(struct board *board, const char *text);

/* An SMI has come, its handler has ended by RSM. The second does not return where HLT goes on. */
void board_smi_comes(struct DebugStore *store);
void board_smi_is_over(struct DebugStore *store);

#endif
