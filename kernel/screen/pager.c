/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/pager.h"

#include <stddef.h>

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "kernel/screen/console_screen.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"

#define LOOK_EVERY 50000u   /* microseconds between two polls of the keyboard */
#define TURN_EVERY 8000000u /* microseconds a page is shown, until a key is pressed */

static struct end_report *displayed;
static unsigned number, count;

void pager_again(void)
{
    struct screen_page *page = console_screen_start_page();

    if (displayed == NULL || page == NULL)
        return;
    count = end_page_fill(page, displayed, number);
    console_screen_show_page();
}

void pager_start(struct end_report *report)
{
    displayed = report;
    number = 0;
    pager_again();
}

static void turn(enum keyboard_key key)
{
    number = (number + (key == KEY_BACK ? count - 1 : 1)) % count;
    pager_again();
}

/* After a crash any state may be left; allows only the timer's interrupt. */
static void prepare_for_interrupts(void)
{
    apic_pmi_mask();
    apic_end_all();
    interrupt_gate_reset(VECTOR_TIMER);
    insn_sti();
}

/* Names the keys on the page. */
static void listen(void)
{
    prepare_for_interrupts();
    keyboard_read(); /* discards earlier keys */
    displayed->has_keys = true;
    pager_again();
}

bool pager_run(void)
{
    uint64_t displayed_since = time_now();
    bool by_hand = false;

    if (count == 0 || apic_mode() == APIC_MODE_ABSENT)
        return false;
    listen();
    for (;;) {
        enum keyboard_key key = keyboard_read();

        if (key == KEY_RESTART)
            return true;
        by_hand |= key != KEY_NONE;
        if (key != KEY_NONE ||
            (!by_hand && time_microseconds_since(displayed_since) >= TURN_EVERY)) {
            turn(key);
            displayed_since = time_now();
        }
        watchdog_nap(LOOK_EVERY);
    }
}
