/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console/console.h"

#include "arch/cpu/tables/acpi.h"
#include "arch/lib/printf.h"
#include "kernel/console/uart.h"

#define NOTES       6u
#define NOTE_SIZE   256u
#define SOURCE_SIZE 32u
#define TABLE_SIZE  32u /* bytes of eight registers with the largest stride */

static char notes[NOTES][NOTE_SIZE];
static unsigned note_count;
static char source[SOURCE_SIZE]; /* of the UART tried last, kept if it opens */
static const struct options *options;

const char *console_find_note(unsigned i)
{
    return i < note_count ? notes[i] : NULL;
}

static void note(const char *why)
{
    if (note_count < NOTES)
        format_string(notes[note_count++], NOTE_SIZE, "%s not used: %s", source, why);
}

/* Notes a requested rate that the UART cannot make. */
static void note_rate(const struct uart *uart)
{
    bool is_named = options->serial.rate_is_named || options->uart.rate_is_named;

    if (!is_named || uart->rate == UART_KEEP_RATE || uart_can(uart, uart->rate) ||
        note_count == NOTES)
        return;
    if (uart->clock == 0)
        format_string(notes[note_count++], NOTE_SIZE,
                      "%s keeps its rate: it is not known which clock it has", source);
    else
        format_string(notes[note_count++], NOTE_SIZE,
                      "%s keeps its rate: a clock of %u Hz cannot make %u baud", source,
                      uart->clock, uart->rate);
}

/* Opens it with the first shape that works; if none does, the last problem is kept. */
static bool open_as(struct uart *uart, const struct register_shape *shapes, unsigned count)
{
    note_rate(uart);
    for (unsigned i = 0; i < count; i++) {
        uart->registers.shape = shapes[i];
        console_uart_choose(uart, source);
        console_open(CONSOLE_UART);
        if (console_problem(CONSOLE_UART) == NULL)
            return true;
    }
    return false;
}

static bool open_or_note(struct uart *uart, const struct register_shape *shapes, unsigned count)
{
    bool is_open = open_as(uart, shapes, count);

    if (!is_open)
        note(console_problem(CONSOLE_UART));
    return is_open;
}

/* ---- what the tables name ---- */

static uint32_t rate_for(const struct acpi_uart *table)
{
    if (options->serial.rate_is_named)
        return options->serial.rate;
    return table->says_rate ? table->rate : SERIAL_RATE;
}

/* For a UART whose rate and clock nobody names. */
static void keep_if_set(const struct pci_function *function, bool rate_is_named, struct uart *uart)
{
    uart->keeps_if_set = !rate_is_named && uart_pci_kind(function) == UART_PCI_16550;
}

static bool is_there(const struct acpi_uart *table)
{
    return table->is_pci && pci_exists(&table->pci) &&
           pci_read(&table->pci, PCI_IDS) ==
               ((uint32_t)table->pci_device << 16 | table->pci_vendor);
}

/* Opens a PCI function about which the table does not say everything. */
static bool open_function_of(const struct acpi_uart *table)
{
    struct uart_pci found;
    const char *wrong = uart_pci_prepare(&table->pci, true, &found);

    if (wrong != NULL) {
        note(wrong);
        return false;
    }
    found.uart.rate = rate_for(table);
    found.uart.said_rate = table->rate;
    keep_if_set(&table->pci, options->serial.rate_is_named || table->says_rate, &found.uart);
    found.uart.is_trusted = true;
    return open_or_note(&found.uart, found.shapes, found.shape_count);
}

/* If the table does not tell the clock, it is known for ports only. */
static bool open_place_of(const struct acpi_uart *table)
{
    struct uart uart = {.registers.address = table->address,
                        .clock = table->clock,
                        .rate = rate_for(table),
                        .said_rate = table->rate,
                        .is_trusted = true};
    const char *wrong = NULL;

    if (uart.clock == 0 && !table->in_memory)
        uart.clock = UART_CLOCK;
    if (table->in_memory)
        wrong = uart_map(&uart, TABLE_SIZE);
    if (wrong == NULL)
        return open_or_note(&uart, table->shapes, table->shape_count);
    note(wrong);
    return false;
}

/* If the table names the serial line itself, that only takes over the firmware's rate. */
static bool is_serial_line(const struct acpi_uart *table)
{
    if (table->in_memory || console_problem(CONSOLE_SERIAL) != NULL ||
        !console_serial_is_port(table->address))
        return false;
    console_serial_follow(options->serial.rate_is_named ? UART_KEEP_RATE : table->rate, source);
    return true;
}

static bool open_table(const char *name, const char *(*read)(struct acpi_uart *out))
{
    struct acpi_uart table;
    const char *wrong = read(&table);

    format_string(source, sizeof(source), "%s", name);
    if (wrong != NULL) {
        if (wrong != acpi_no_such_table)
            note(wrong);
        return false;
    }
    if (is_serial_line(&table))
        return true;
    if (is_there(&table) && (table.address == 0 || uart_pci_kind(&table.pci) == UART_PCI_LPSS))
        return open_function_of(&table);
    if (table.address == 0) {
        note("it names a PCI function that is not there, and no address");
        return false;
    }
    if (is_there(&table))
        uart_pci_wake(&table.pci);
    return open_place_of(&table);
}

/* ---- PCI functions ---- */

static void name_function(const struct pci_function *function)
{
    format_string(source, sizeof(source), "PCI %02x:%02x.%x", function->bus, function->device,
                  function->function);
}

struct wish {
    enum uart_pci_kind kind;
    bool is_awake;
};

static bool open_function(const struct pci_function *function, void *argument)
{
    const struct wish *wish = argument;
    struct uart_pci found;
    const char *wrong;

    if (uart_pci_kind(function) != wish->kind || pci_is_awake(function) != wish->is_awake)
        return false;
    name_function(function);
    wrong = uart_pci_prepare(function, false, &found);
    if (wrong != NULL) {
        note(wrong);
        return false;
    }
    found.uart.rate = options->serial.rate;
    keep_if_set(function, options->serial.rate_is_named, &found.uart);
    return open_or_note(&found.uart, found.shapes, found.shape_count);
}

/* An LPSS UART that the firmware woke is more likely its console than a sleeping one. */
static void open_some_function(void)
{
    static const struct wish wishes[] = {{UART_PCI_16550, true},
                                         {UART_PCI_16550, false},
                                         {UART_PCI_LPSS, true},
                                         {UART_PCI_LPSS, false}};

    for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
        struct wish wish = wishes[i];

        if (pci_find(open_function, &wish))
            return;
    }
}

/* ---- by hand ---- */

/* Assumes the standard clock if a rate was requested. */
static const char *open_place(const struct uart_choice *choice)
{
    struct register_shape shape = {choice->width, choice->width};
    bool in_memory = choice->where == UART_IN_MEMORY;
    struct uart uart = {.registers.address = choice->address,
                        .clock = in_memory && choice->rate == UART_KEEP_RATE ? 0 : UART_CLOCK,
                        .rate = choice->rate,
                        .is_trusted = true};
    const char *wrong = in_memory ? uart_map(&uart, TABLE_SIZE) : NULL;

    if (!in_memory && !choice->rate_is_named)
        uart.rate = SERIAL_RATE;
    if (wrong == NULL && !open_as(&uart, &shape, 1))
        wrong = console_problem(CONSOLE_UART);
    return wrong;
}

static const char *open_named_function(const struct uart_choice *choice)
{
    struct uart_pci found;
    const char *wrong = "there is no such PCI function";

    if (pci_exists(&choice->pci))
        wrong = uart_pci_prepare(&choice->pci, true, &found);
    if (wrong != NULL)
        return wrong;
    found.uart.rate = choice->rate_is_named ? choice->rate : SERIAL_RATE;
    keep_if_set(&choice->pci, choice->rate_is_named, &found.uart);
    found.uart.is_trusted = true;
    return open_as(&found.uart, found.shapes, found.shape_count) ? NULL
                                                                 : console_problem(CONSOLE_UART);
}

static void open_by_hand(const struct uart_choice *choice)
{
    const char *wrong;

    if (choice->where == UART_ON_PCI)
        name_function(&choice->pci);
    else
        format_string(source, sizeof(source), "console=uart");
    wrong = choice->where == UART_ON_PCI ? open_named_function(choice) : open_place(choice);
    if (wrong != NULL)
        note(wrong);
}

void console_find(const struct options *asked)
{
    options = asked;
    if (options->consoles & CONSOLE_UART)
        open_by_hand(&options->uart);
    else if (!(options->consoles & CONSOLE_SERIAL) || options->serial.port_is_named)
        return;
    else if (!open_table("SPCR", acpi_read_spcr) && !open_table("DBG2", acpi_read_dbg2) &&
             console_problem(CONSOLE_SERIAL) != NULL)
        open_some_function();
}
