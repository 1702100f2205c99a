// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A board that misbehaves as real ones do: events from outside the processor at unpredictable
 * times. They begin when the firmware hands the machine over, and only if a property requests them.
 */
#ifndef DEBUG_STORE_BOARD_H
#define DEBUG_STORE_BOARD_H

#include "qemu/timer.h"
#include "cpu.h"

/* An event that happens to a processor at random times, at a mean rate. */
typedef struct BoardSource {
    X86CPU *cpu;
    uint32_t rate; /* a second; 0: never */
    void (*happens)(X86CPU *cpu, unsigned what);
    unsigned what;
    QEMUTimer *timer;
} BoardSource;

#define BOARD_STRAYS 8

/* Settings and state of the board for one processor. */
struct board {
    uint32_t smi_rate;   /* SMIs a second; the first processor's value is the board's */
    uint32_t smi_length; /* microseconds that each takes at least */
    uint32_t smi_waits;  /* milliseconds that the handler waits for processors in INIT */
    bool smi_alone;      /* SMIs come to this processor only */
    BoardSource smi;
    bool smi_sent;            /* but not taken yet */
    uint32_t transition_rate; /* changes of the clock a second, while turbo is on */
    BoardSource transitions;
    bool x2apic_locked; /* from the hand-over on */
    char *deaf_ids;     /* APIC ids of processors that hear no INIT and no start-up message */
    bool deaf;          /* this one is among them */
    char *tscs_ahead;   /* ID:TICKS of processors whose TSC is ahead, from RESET on */
    uint64_t tsc_ahead; /* this processor's lead, in TSC ticks */
    uint64_t perf_ctl, clock_modulation, power_ctl; /* values of these registers */
    BoardSource strays[BOARD_STRAYS];
    bool serves_events; /* it has delivered an event in long mode since the hand-over and INIT */
    bool halted;        /* by HLT, and still is */
    bool smi_in_halt;   /* the SMI being served interrupted a HLT */
    uint64_t smi_eip;   /* where that SMI came */
    bool stuck;         /* the handler of an SMI never ends */
    bool thermal_smi;   /* firmware has the thermal interrupt delivered as SMI */
};

struct DebugStore;

/* Adds the properties to a new processor. */
void debug_store_add_board_properties(X86CPU *cpu);

/* To be called when the processor's features are known: sets up its registers. Returns NULL, or a
 * sentence that says what is inconsistent. */
const char *board_settle(struct DebugStore *store);

/* Is `number` in `text`? That is a list separated by '+', or NULL if it is empty. */
bool board_is_listed(const char *text, uint32_t number);

/* The value after "number:" in such a list, or 0. */
uint64_t board_listed_value(const char *text, uint32_t number);

/* Is the firmware's work done? */
bool board_handed_over(void);

/* RESET or INIT. A RESET of the boot processor gives the machine back to the firmware. */
void board_reset(struct DebugStore *store, bool init);

/* The first: HLT is executed. The second: an interrupt or exception is delivered, which ends it. */
void board_halts(struct DebugStore *store);
void board_event_comes(struct DebugStore *store);

/* Nanoseconds to the next of independent random events, with a mean of `rate` a second. */
int64_t board_random_pause(uint32_t rate);

/* Sends an SMI to every processor, as a chipset does. */
void board_send_smi(void);

/*
 * Sends an SMI whose handler never ends to this processor, or to all. It comes within a few
 * instructions. Only RESET ends it, INIT does not.
 */
void board_stick(X86CPU *cpu);
void board_stick_all(void);

/* Starts a source whose rate is not 0. */
void board_start(BoardSource *source);

/* At the hand-over: clears the firmware's last SMI command (q35). */
void board_forget_smi_command(void);

/* At the hand-over, for each processor. */
void board_start_smis(X86CPU *cpu);
void board_start_transitions(X86CPU *cpu);
void board_start_strays(X86CPU *cpu);

/* Parses the text of x-ds-stray: WHAT:RATE, several joined by '+'. False if it is wrong; nothing is
 * changed then. */
bool board_parse_strays(struct board *board, const char *text);

/* The first: an SMI was taken. The second: its handler ended by RSM; does not return if a HLT goes
 * on. */
void board_smi_comes(struct DebugStore *store);
void board_smi_is_over(struct DebugStore *store);

#endif
