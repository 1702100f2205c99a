// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unrequested interrupts, as x-ds-stray sets them: a vector that a device was left programmed with,
 * an NMI, or an 8259 whose request is gone when it is acknowledged (its vector 7). They come at
 * random from the hand-over on. A vector comes once software has enabled the local APIC. An NMI
 * comes once the processor has delivered an event in long mode, because earlier it would crash.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "apic.h"
#include "state.h"

#define VECTOR_FIRST 16 /* those below are no interrupts */
#define VECTOR_LAST  255
#define RATE_MOST    100000

enum { NMI = VECTOR_LAST + 1, PIC };

static void comes(X86CPU *cpu, unsigned what)
{
    if (!cpu->apic_state || APIC_COMMON(cpu->apic_state)->wait_for_sipi) {
        return;
    }
    switch (what) {
    case NMI:
        if (qatomic_read(&cpu->debug_store->board.serves_events)) {
            cpu_interrupt(CPU(cpu), CPU_INTERRUPT_NMI);
        }
        break;
    case PIC:
        apic_deliver_pic_intr(cpu->apic_state, 1);
        break;
    default:
        debug_store_raise_vector(cpu, what);
        break;
    }
}

void board_start_strays(X86CPU *cpu)
{
    struct board *board = &cpu->debug_store->board;

    for (unsigned i = 0; i < ARRAY_SIZE(board->strays); i++) {
        board->strays[i].cpu = cpu;
        board->strays[i].happens = comes;
        board_start(&board->strays[i]);
    }
}

/* A vector, 'nmi' or 'pic'; 0 for anything else. */
static unsigned kind_of(const char *word)
{
    uint64_t vector;

    if (strcmp(word, "nmi") == 0 || strcmp(word, "pic") == 0) {
        return word[0] == 'n' ? NMI : PIC;
    }
    return qemu_strtou64(word, NULL, 0, &vector) == 0 && vector >= VECTOR_FIRST &&
                   vector <= VECTOR_LAST
               ? vector
               : 0;
}

static bool parse_one(const char *text, BoardSource *source)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 0);
    uint64_t rate;

    if (g_strv_length(parts) != 2 || qemu_strtou64(parts[1], NULL, 10, &rate) != 0) {
        return false;
    }
    source->what = kind_of(parts[0]);
    source->rate = rate;
    return source->what != 0 && rate > 0 && rate <= RATE_MOST;
}

bool board_parse_strays(struct board *board, const char *text)
{
    BoardSource strays[BOARD_STRAYS] = {0};
    g_auto(GStrv) words = g_strsplit(text, "+", 0);
    unsigned count = g_strv_length(words);

    if (count == 0 || count > BOARD_STRAYS) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!parse_one(words[i], &strays[i])) {
            return false;
        }
    }
    memcpy(board->strays, strays, sizeof(strays));
    return true;
}
